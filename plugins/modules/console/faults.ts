import { dictionary, type Problem } from '../../../src/plugin/index.ts'
import type { FieldError, Translate } from './site.ts'

/** A number of each kind whose form is validated. */
const EXAMPLES = dictionary({
  EORI: 'DE123456789012345',
  LEI: '529900T8BM49AURSDO55',
  GLN: '9506000140445',
  DID: 'did:web:example.com',
})

interface Fault {
  /** Code of the problem, or a pattern of its text. */
  readonly sign: string | RegExp
  /** Control; empty for the form. */
  readonly field: string
  readonly text: string | ((problem: Problem, t: Translate) => string)
}

/** Rejections of use cases that a form can cause. */
const FAULTS: readonly Fault[] = [
  { sign: 'WEBHOOK_URL_REJECTED', field: 'url', text: 'fault.webhookUrl' },
  { sign: 'WEBHOOK_LIMIT_REACHED', field: '', text: 'fault.webhookLimit' },
  { sign: 'FACILITY_DUPLICATE', field: 'gln', text: 'fault.glnTaken' },
  { sign: 'GTIN_CHECK_DIGIT_INVALID', field: 'product', text: gtinText },
  { sign: 'GS1_KEY_INVALID', field: 'product', text: (_, t) => wrong(t, 'create.product') },
  { sign: 'GTIN_PREFIX_CLAIMED', field: 'product', text: 'fault.prefix' },
  { sign: 'PASSPORT_DUPLICATE', field: 'product', text: 'fault.passportTaken' },
  { sign: /^productId .*invisible/, field: 'product', text: 'fault.invisible' },
  { sign: /^productId .*at most/, field: 'product', text: (_, t) => tooLong(t, 'create.product', 200) },
  { sign: /^productId/, field: 'product', text: (_, t) => wrong(t, 'create.product') },
  { sign: /^regId: /, field: 'regId', text: numberText },
  { sign: /^contact\.email /, field: 'contact.email', text: 'missing.email' },
  { sign: /^contact\.phone /, field: 'contact.phone', text: 'fault.phone' },
  { sign: /^contact\.website /, field: 'contact.website', text: 'fault.web' },
  { sign: /^E-mail: /, field: 'email', text: 'missing.email' },
  { sign: /^expiresAt /, field: 'expiresAt', text: 'fault.day' },
  { sign: /^Only an? (pending request|active grant) /, field: '', text: 'fault.decided' },
  { sign: /^Only the workspace that registered /, field: '', text: 'fault.otherWorkspace' },
  { sign: /^This person is the only owner/, field: '', text: 'fault.onlyOwner' },
  { sign: /^Only an owner without limits/, field: '', text: 'fault.ownerOnly' },
]

/** Says a problem of a use case in the language of the reader, at the control that caused it. */
export function faultOf(problem: Problem, t: Translate): FieldError {
  const fault = FAULTS.find(({ sign }) =>
    typeof sign === 'string' ? problem.fields.code === sign : sign.test(problem.message),
  )
  if (fault === undefined) return { field: '', message: problem.message }
  const { field, text } = fault
  return { field, message: typeof text === 'string' ? t(text) : text(problem, t) }
}

export const missing = (t: Translate, label: string): string => t('fault.missing', { field: t(label) })
export const wrong = (t: Translate, label: string): string => t('fault.wrong', { field: t(label) })
export const tooLong = (t: Translate, label: string, number: number): string =>
  t('fault.long', { field: t(label), number })

function gtinText({ message }: Problem, t: Translate): string {
  const meant = /Did you mean (\d+)/.exec(message)?.[1]
  return meant === undefined ? t('fault.gtin') : `${t('fault.gtin')} ${t('fault.meant', { number: meant })}`
}

function numberText({ message }: Problem, t: Translate): string {
  const scheme = Object.keys(EXAMPLES).find((name) => message.includes(` ${name} `)) ?? ''
  return t('fault.number', { scheme: t(`scheme.${scheme}`), example: EXAMPLES[scheme] })
}
