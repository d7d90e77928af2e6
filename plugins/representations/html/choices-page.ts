import type { PassportChoice } from '../../../src/plugin/index.ts'
import type { Texts } from './texts.ts'

/** Everything that `templates/choices.eta` writes. */
interface ChoicesPage {
  readonly lang: string
  readonly title: string
  readonly text: string
  readonly choices: readonly { readonly href: string; readonly company: string; readonly remarks: readonly string[] }[]
}

/** The passports of one product number, for a person who has the product and can read whose it is. */
export function choicesPage(choices: readonly PassportChoice[], { lang, t }: Texts): ChoicesPage {
  return {
    lang,
    title: t('choices.title'),
    text: t('choices.text'),
    choices: choices.map(({ href, company, isClaimed, isSealed }) => ({
      href,
      company,
      remarks: [...(isClaimed ? [t('choices.claimed')] : []), t(isSealed ? 'head.sealed' : 'head.unsealed')],
    })),
  }
}
