import {
  isGroup,
  type Json,
  type Metadata,
  type PassportView,
  REDACTED,
  textFor,
} from '../../../../src/plugin/index.ts'
import type { Label, Texts } from '../texts.ts'
import { moreOf } from '../value.ts'
import { careOf } from './care.ts'
import { CARE, type Care, energyArrow, isEnergyClass, MARKS, PICTOGRAMS } from './drawings.ts'
import { pictogramsOf, signalWordOf } from './hazards.ts'
import { isOfficial, officialSentence, splitStatement } from './statements.ts'

interface Sign {
  /** Trusted SVG, inserted unescaped. */
  readonly drawing: string
  readonly text: string
  readonly own?: string
}

export interface Warnings {
  readonly title: string
  readonly signalWord: { readonly text: string; readonly lang: string } | undefined
  readonly pictograms: readonly Sign[]
  readonly note: string | undefined
  readonly groups: readonly Group[]
  /** Metadata keys fully covered, see {@link withoutKeys}. */
  readonly used: readonly string[]
}

export interface Signs {
  readonly title: string
  readonly signs: readonly Sign[]
  readonly used: readonly string[]
}

interface Group {
  readonly label: Label | undefined
  readonly statements: readonly Statement[]
  readonly more?: string
}

interface Statement {
  readonly code?: string
  readonly text?: string
  readonly lang?: string
  readonly own?: string
}

/** Legal signs and the company's words. */
export function warningsOf({ metadata }: PassportView, texts: Texts): Warnings | undefined {
  const { t } = texts
  const used: string[] = []
  const hazards = hazardsOf(metadata, texts, used)
  const plain = plainWarningsOf(metadata, texts, used)
  const groups = [plain.group, ...hazards.groups, ...ownWarningsOf(metadata, texts, used)].filter(
    ({ statements }) => statements.length > 0,
  )
  if (groups.length + plain.signs.length === 0 && hazards.signalWord === undefined) return undefined
  const pictograms = hazards.pictograms.map((name) => ({ drawing: PICTOGRAMS[name], text: t(`sign.ghs.${name}`) }))
  return {
    title: t('sign.warnings'),
    signalWord: hazards.signalWord && officialSentence(hazards.signalWord, texts.lang),
    pictograms: [...pictograms, ...plain.signs],
    note: pictograms.length > 0 ? t('sign.derived') : undefined,
    groups,
    used,
  }
}

function hazardsOf(metadata: Metadata, texts: Texts, used: string[]) {
  const statements = statementsOf(metadata, ['hStatements', 'hazardClassification'], texts, used)
  const precautions = statementsOf(metadata, ['pStatements'], texts, used)
  const codes = [...statements.codes]
  const stated = metadata.signalWord
  const isWord = stated === 'Danger' || stated === 'Warning'
  if (isWord) used.push('signalWord')
  return {
    signalWord: isWord ? stated : signalWordOf(codes),
    pictograms: pictogramsOf(codes),
    groups: [...statements.groups, ...precautions.groups],
  }
}

function statementsOf(metadata: Metadata, keys: readonly string[], texts: Texts, used: string[]) {
  const codes = new Set<string>()
  const groups = keys.map((key): Group => {
    const list = wordsIn(metadata[key])
    if (list === undefined) return { label: undefined, statements: [] }
    used.push(key)
    const statements = list.flatMap((text): Statement[] => {
      const coded = splitStatement(text)
      if (coded === undefined) return [{ own: text }]
      const statement = statementOf(coded, texts.lang)
      if (codes.has(coded.code) && statement.own === undefined) return []
      codes.add(coded.code)
      return [statement]
    })
    return { label: texts.label(key), statements, more: moreOf(list, texts) }
  })
  return { codes, groups }
}

/** Gaps in legal sentences (`…`, `<name of…>`); the company's own words fill them. */
const GAP = /[…<[«]/

function statementOf({ code, words }: { readonly code: string; readonly words: string }, lang: string): Statement {
  const official = officialSentence(code, lang)
  if (official === undefined) return words === '' ? { code } : { code, own: words }
  if (words === '' || isOfficial(code, words)) return { code, ...official }
  return GAP.test(official.text) ? { code, own: words } : { code, ...official, own: words }
}

function plainWarningsOf(metadata: Metadata, texts: Texts, used: string[]) {
  const { t } = texts
  const statements: Statement[] = []
  const signs: Sign[] = []
  const { physicalSafetyParameters: physical, ageGroup } = metadata
  if (metadata.presenceOfSVHC === true) {
    used.push('presenceOfSVHC')
    statements.push({ text: t('sign.svhc') })
  }
  if (isGroup(physical) && physical.chokingHazardWarning === true) {
    used.push('physicalSafetyParameters/chokingHazardWarning')
    const isForOlder = typeof ageGroup === 'string' && isFromThree(ageGroup)
    if (isForOlder) signs.push({ drawing: MARKS.under3, text: t('sign.under3') })
    signs.push({ drawing: MARKS.alert, text: t('sign.choking') })
  }
  if (metadata.containsMagnets === true) {
    used.push('containsMagnets')
    const { text, foreign } = texts.label('containsMagnets')
    statements.push(foreign ? { own: text } : { text })
  }
  return { group: { label: undefined, statements }, signs }
}

/** True if the age group (`3-6`, `12+`) starts at 3 or more. */
const isFromThree = (ageGroup: string): boolean => Number(/^(\d{1,3}) ?[-–+]/.exec(ageGroup)?.[1]) >= 3

const OWN_WARNINGS = ['ageWarning', 'safetyWarnings', 'allergenicFragrances', 'precautions']

const ownWarningsOf = (metadata: Metadata, texts: Texts, used: string[]): Group[] =>
  OWN_WARNINGS.flatMap((key) => {
    const list = wordsIn(metadata[key])
    if (list === undefined) return []
    used.push(key)
    return [{ label: texts.label(key), statements: list.map((own) => ({ own })), more: moreOf(list, texts) }]
  })

function wordsIn(value: Json | undefined): readonly string[] | undefined {
  const list = typeof value === 'string' ? [value] : value
  if (!Array.isArray(list) || list.length === 0) return undefined
  return list.every((item) => typeof item === 'string' && item !== '' && item !== REDACTED) ? list : undefined
}

export function signsOf({ metadata, updatedAt }: PassportView, texts: Texts): Signs | undefined {
  const used: string[] = []
  const signs = [
    ...conformityOf(metadata, updatedAt, texts, used),
    ...energyOf(metadata, texts, used),
    ...disposalOf(metadata, texts, used),
    ...careSignsOf(metadata, texts, used),
  ]
  return signs.length === 0 ? undefined : { title: texts.t('sign.title'), signs, used }
}

function conformityOf(
  { regulatoryCompliance: group }: Metadata,
  updatedAt: string,
  texts: Texts,
  used: string[],
): Sign[] {
  if (!isGroup(group)) return []
  const { t, formats } = texts
  const signs: Sign[] = []
  if (group.ceMarking === true) {
    used.push('regulatoryCompliance/ceMarking')
    signs.push({ drawing: MARKS.ce, text: t('sign.ce') })
  }
  for (const certificate of Array.isArray(group.certificates) ? group.certificates : []) {
    if (!isGroup(certificate) || typeof certificate.validUntil !== 'string') continue
    const { name, validUntil } = certificate
    const date = formats.date(validUntil)
    // Compared with the last change, not the clock: stored pages must stay true.
    if (date === undefined || validUntil >= updatedAt.slice(0, 10)) continue
    const own = typeof name === 'string' && name !== REDACTED ? name : undefined
    signs.push({ drawing: MARKS.alert, text: t('sign.expired', { date }), own })
  }
  return signs
}

function energyOf({ energyEfficiencyClass }: Metadata, { t }: Texts, used: string[]): Sign[] {
  if (!isEnergyClass(energyEfficiencyClass)) return []
  used.push('energyEfficiencyClass')
  return [{ drawing: energyArrow(energyEfficiencyClass), text: t('sign.energy', { class: energyEfficiencyClass }) }]
}

function disposalOf(metadata: Metadata, { t }: Texts, used: string[]): Sign[] {
  const signs: Sign[] = []
  const isBattery = metadata.separateCollectionSymbol === true
  if (isBattery) used.push('separateCollectionSymbol')
  // Directive 2012/19/EU, Article 14(4) and Annex IX.
  if (isBattery || typeof metadata.weeeCategory === 'number') signs.push({ drawing: MARKS.bin, text: t('sign.bin') })
  for (const metal of ['cadmium', 'lead'] as const) {
    if (metadata[`${metal}Symbol`] !== true) continue
    used.push(`${metal}Symbol`)
    signs.push({ drawing: MARKS[metal], text: t(`sign.${metal}`) })
  }
  return signs
}

function careSignsOf({ careInstructions: stated }: Metadata, texts: Texts, used: string[]): Sign[] {
  if (stated === undefined) return []
  const instructions = instructionsIn(stated)
  const known = instructions.map(careOf)
  if (
    instructions.length > 0 &&
    !known.includes(undefined) &&
    moreOf(Array.isArray(stated) ? stated : [], texts) === undefined
  )
    used.push('careInstructions')
  return [...new Set(known)].flatMap((care) =>
    care === undefined ? [] : [{ drawing: CARE[care], text: careText(care, texts) }],
  )
}

function careText(care: Care, { t }: Texts): string {
  const [, verb, degrees, manner = ''] = /^(wash|iron)(\d+)(Mild)?$/.exec(care) ?? []
  return verb === undefined ? t(`sign.care.${care}`) : t(`sign.care.${verb}${manner}`, { degrees })
}

/** Returns instructions, in English if translated; `''` for unreadable ones. */
function instructionsIn(stated: Json): string[] {
  const whole = textFor(stated, ['en'])
  const list = whole !== undefined || !Array.isArray(stated) ? [whole] : stated.map((item) => textFor(item, ['en']))
  // A comma may join several objects of one `do not`.
  return list.flatMap(
    (text) =>
      text
        ?.split(/[.;\n]+/)
        .map((part) => part.trim())
        .filter((part) => part !== '') ?? [''],
  )
}

/** Removes keys shown elsewhere; `group/member` is a member of a group. */
export function withoutKeys(metadata: Metadata, used: readonly string[]): Metadata {
  const shownKeys = new Set(used)
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]): [string, Json][] => {
      if (shownKeys.has(key)) return []
      if (!isGroup(value)) return [[key, value]]
      const members = Object.entries(value).filter(([member]) => !shownKeys.has(`${key}/${member}`))
      return members.length === 0 && Object.keys(value).length > 0 ? [] : [[key, Object.fromEntries(members)]]
    }),
  )
}
