import type { DoorView, VocabularyView } from '../../../src/plugin/index.ts'
import { languageLinks } from './own-links.ts'
import { isolated, type OwnPage } from './own-pages.ts'
import type { Texts } from './texts.ts'

interface Link {
  readonly href: string
  readonly label: string
}

interface DoorPage extends OwnPage {
  readonly heading: string
  readonly action: string
  readonly sought: string
  readonly problem?: { readonly text: string; readonly link?: Link }
  readonly links: readonly Link[]
}

export function doorPage(view: DoorView, texts: Texts): DoorPage {
  const { lang, modules, t } = texts
  const isFront = view.purpose === 'open'
  const heading = t(isFront ? 'door.title' : 'door.accessTitle')
  const link = (href: string, label: string): Link => ({ href, label: t(`door.${label}`) })
  return {
    lang,
    heading,
    // Screen readers read the title first (GOV.UK Design System, error messages).
    title: view.problem === undefined ? heading : t('door.error', { title: heading }),
    text: isFront ? t('door.intro', { host: isolated(view.host) }) : t('door.accessIntro'),
    switcher: languageLinks(texts),
    action: isFront ? '/' : '/request-access',
    sought: view.sought ?? '',
    problem: problemOf(view, t, lang),
    links: isFront
      ? [
          ...(view.demoPath === undefined ? [] : [link(`${view.demoPath}?lang=${lang}`, 'demo')]),
          ...(modules.has('verifier') ? [link(`/verify?lang=${lang}`, 'verify')] : []),
          ...(modules.has('reference') ? [link('/docs', 'api')] : []),
        ]
      : [],
  }
}

function problemOf({ problem, corrected }: DoorView, t: Texts['t'], lang: string): DoorPage['problem'] {
  if (problem === undefined) return undefined
  if (corrected === undefined) return { text: t(`door.problem.${problem}`) }
  const link = { href: `?q=${corrected}&lang=${lang}`, label: corrected }
  return { text: t('door.problem.checkDigit'), link }
}

export const doorTexts = ({ lang, modules, t }: Texts) => ({
  reading: t('door.reading'),
  noCode: t('door.noCode'),
  noPicture: t('door.noPicture'),
  verifier: modules.has('verifier') ? `/verify?lang=${lang}` : undefined,
})

export function vocabularyPage(view: VocabularyView, { lang }: Texts) {
  const title = 'Digital Product Passport vocabulary'
  return { ...view, lang, title, text: title }
}
