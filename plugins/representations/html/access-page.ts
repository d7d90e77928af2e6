import type { AccessRequestView, AccessStatusView } from '../../../src/plugin/index.ts'
import { type LanguageLink, languageLinks } from './own-links.ts'
import { isolated } from './own-pages.ts'
import { plainText } from './text.ts'
import type { Texts } from './texts.ts'
import { wordsOf } from './value.ts'

interface AccessPage {
  readonly lang: string
  readonly switcher: readonly LanguageLink[]
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly product: string
  readonly backUrl: string
  readonly followUrl?: string | undefined
  readonly mistakes: readonly { readonly field: string; readonly text: string }[]
  readonly form?: AccessForm
}

interface AccessForm {
  readonly query: string
  readonly privacy: string
  readonly fields: readonly {
    readonly name: string
    readonly label: string
    readonly type: 'text' | 'email' | 'textarea' | 'select'
    readonly autocomplete: string
    readonly maxLength: number
    readonly isRequired: boolean
    readonly value: string
    readonly hint?: string
    readonly options?: readonly { readonly value: string; readonly text: string }[]
    readonly error?: string
  }[]
}

/** Works without scripts. */
export function accessPage(view: AccessRequestView, texts: Texts): AccessPage {
  const { t } = texts
  const named = nameOf(view)
  const form = view.sent === undefined ? accessForm(view, texts) : undefined
  const mistakes = (form?.fields ?? []).flatMap(({ name, error }) =>
    error === undefined ? [] : [{ field: name, text: error }],
  )
  const heading = t(view.sent === undefined ? 'access.title' : 'access.sentTitle')
  return {
    lang: texts.lang,
    switcher: languageLinks(texts, `?${withoutLanguage(view.query)}`),
    heading,
    // Screen readers read the title first (GOV.UK Design System, error summary).
    title: mistakes.length === 0 ? heading : t('door.error', { title: heading }),
    product: productOf(view, texts),
    mistakes,
    text: t(textOf(view), named),
    followUrl: view.sent?.followUrl,
    backUrl: view.subjectUrl,
    form,
  }
}

const textOf = ({ sent }: AccessRequestView): string => {
  if (sent === undefined) return 'access.intro'
  return sent.isMailed ? 'access.sentText' : 'access.sentByCompany'
}

export function accessStatusPage(view: AccessStatusView, texts: Texts): AccessPage {
  const { lang, t, formats } = texts
  const date = formats.date(view.expiresAt) ?? view.expiresAt
  return {
    lang,
    switcher: languageLinks(texts),
    heading: t('access.status.title'),
    title: t('access.status.title'),
    product: productOf(view, texts),
    mistakes: [],
    text: t(`access.status.${stateKey(view)}`, { ...nameOf(view), date }),
    backUrl: view.subjectUrl,
  }
}

const stateKey = ({ state, isMailed }: AccessStatusView): string =>
  !isMailed && (state === 'waiting' || state === 'approved') ? `${state}ByCompany` : state

function withoutLanguage(query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('lang')
  return parameters.toString()
}

const nameOf = ({ company }: Pick<AccessRequestView, 'company'>) => ({ company: isolated(company) })
const productOf = ({ product }: Pick<AccessRequestView, 'product'>, texts: Texts) =>
  plainText(wordsOf(product.name, texts)?.text ?? product.id)

const ERRORS: Readonly<Record<AccessRequestView['request']['errors'][number], string>> = {
  nameMissing: 'access.nameMissing',
  emailInvalid: 'access.emailInvalid',
  actorKindInvalid: 'audience.actorKindInvalid',
  identifierInvalid: 'audience.identifierInvalid',
}

const schemeName = (scheme: string, { t }: Texts): string => {
  if (scheme === 'VAT') return t('audience.vat')
  return scheme === 'DUNS' ? 'D-U-N-S' : scheme
}

function accessForm(view: AccessRequestView, texts: Texts): AccessForm {
  const { t } = texts
  const { query, request } = view
  const { values, errors } = request
  const error = (name: (typeof errors)[number]) => (errors.includes(name) ? t(ERRORS[name]) : undefined)
  const list = (named: readonly string[], textOf: (name: string) => string) => [
    { value: '', text: t('audience.notStated') },
    ...named.map((value) => ({ value, text: textOf(value) })),
  ]
  const field = { type: 'text', isRequired: false } as const
  return {
    query,
    privacy: t('access.privacy', nameOf(view)),
    fields: [
      {
        ...field,
        name: 'granteeName',
        label: t('access.name'),
        autocomplete: 'name',
        maxLength: 160,
        isRequired: true,
        value: values.granteeName,
        error: error('nameMissing'),
      },
      {
        ...field,
        name: 'granteeEmail',
        label: t('access.email'),
        type: 'email',
        autocomplete: 'email',
        maxLength: 254,
        isRequired: true,
        value: values.granteeEmail ?? '',
        error: error('emailInvalid'),
      },
      {
        ...field,
        name: 'organization',
        label: t('access.organization'),
        autocomplete: 'organization',
        maxLength: 200,
        value: values.organization ?? '',
      },
      {
        ...field,
        name: 'actorKind',
        label: t('audience.actorKind'),
        type: 'select',
        autocomplete: 'off',
        maxLength: 40,
        value: values.actorKind ?? '',
        options: list(view.actorKinds, (kind) => t(`audience.kinds.${kind}`)),
        error: error('actorKindInvalid'),
      },
      {
        ...field,
        name: 'identifierScheme',
        label: t('audience.identifierScheme'),
        type: 'select',
        autocomplete: 'off',
        maxLength: 40,
        value: values.identifierScheme ?? '',
        options: list(view.identifierSchemes, (scheme) => schemeName(scheme, texts)),
      },
      {
        ...field,
        name: 'identifier',
        label: t('audience.identifier'),
        autocomplete: 'off',
        maxLength: 500,
        value: values.identifier ?? '',
        error: error('identifierInvalid'),
      },
      {
        ...field,
        name: 'purpose',
        label: t('access.purpose'),
        type: 'textarea',
        autocomplete: 'off',
        maxLength: 2000,
        value: values.purpose ?? '',
        hint: t('access.purposeHint'),
      },
    ],
  }
}
