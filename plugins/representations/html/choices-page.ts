import type { PassportChoice } from '../../../src/plugin/index.ts'
import { codeOf, type LanguageLink, languageLinks, withLanguage } from './own-links.ts'
import type { Texts } from './texts.ts'

interface ChoicesPage {
  readonly lang: string
  readonly switcher: readonly LanguageLink[]
  readonly title: string
  readonly text: string
  readonly choices: readonly { readonly href: string; readonly company: string; readonly remarks: readonly string[] }[]
}

export function choicesPage(choices: readonly PassportChoice[], texts: Texts): ChoicesPage {
  const { lang, t } = texts
  return {
    lang,
    switcher: languageLinks(texts),
    title: t('choices.title'),
    text: t('choices.text'),
    choices: choices.map((choice) => ({
      href: withLanguage(choice.href, codeOf(texts)),
      company: choice.company,
      remarks: remarksOf(choice, texts),
    })),
  }
}

function remarksOf({ country, status, isClaimed, isSealed }: PassportChoice, { t, formats }: Texts): string[] {
  return [
    ...(country === null ? [] : [formats.country(country) ?? country]),
    ...(status === 'ACTIVE' ? [] : [t(`technical.statuses.${status}`)]),
    ...(isClaimed ? [t('choices.claimed')] : []),
    t(isSealed ? 'seal.sealed.title' : 'seal.unsealed.title'),
  ]
}
