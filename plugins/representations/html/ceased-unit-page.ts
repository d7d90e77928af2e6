import type { CeasedUnitView } from '../../../src/plugin/index.ts'
import { codeOf, type LanguageLink, languageLinks, withLanguage } from './own-links.ts'
import { plainText } from './text.ts'
import type { Texts } from './texts.ts'
import type { Entry } from './value.ts'

interface CeasedUnitPage {
  readonly lang: string
  readonly switcher: readonly LanguageLink[]
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly facts: readonly Entry[]
  readonly passportUrl: string
  readonly hint: string
}

export function ceasedUnitPage(unit: CeasedUnitView, texts: Texts): CeasedUnitPage {
  const { lang, t, formats } = texts
  const { baseUrl, serialNumber, ceasedAt, passportId } = unit
  const label = (key: string) => ({ text: t(key), foreign: false })
  return {
    lang,
    switcher: languageLinks(texts),
    title: plainText(`${t('problem.410.title')}: ${serialNumber}`),
    heading: t('problem.410.title'),
    text: t('problem.410.text'),
    facts: [
      { label: label('unit.serialNumber'), value: { kind: 'text', text: serialNumber } },
      { label: label('unit.ceasedAt'), value: { kind: 'own', text: formats.date(ceasedAt) ?? ceasedAt } },
    ],
    passportUrl: withLanguage(`${baseUrl}/passport/${encodeURIComponent(passportId)}`, codeOf(texts)),
    hint: t('problem.410.hint1'),
  }
}
