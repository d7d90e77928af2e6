import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { isRecord, type Json, type Metadata, textFor, textIn } from '../../../../src/plugin/index.ts'
import {
  badRequest,
  COMMON_SCHEMA,
  COUNTRY_CODES,
  type IssueText,
  isUuid,
  type ModuleCradle,
  noPassport,
  once,
  type PassportRow,
  parseGuardedJson,
} from '../../../../src/plugin/module.ts'
import { type Control, type ControlContext, controlsOf } from '../editor/controls.ts'
import { type Field, type FormModel, formOf } from '../editor/fields.ts'
import { isAbsence } from '../editor/findings.ts'
import { type FormValues, valuesOf } from '../editor/form-values.ts'
import { LANGUAGES } from '../editor/languages.ts'
import { notationOf } from '../editor/notation.ts'
import { readForm } from '../editor/read-form.ts'
import type { FieldError, SignedIn } from '../site.ts'

/** Part of the result of the module `completeness`, if it is loaded. */
interface Completeness {
  readonly isComplete: boolean
  readonly counts: Readonly<
    Record<'mandatory' | 'conditional' | 'pending', { readonly due: number; readonly met: number }>
  >
  readonly missing: readonly MissingValue[]
}

interface MissingValue {
  readonly key: string
  readonly label: string
  readonly points: readonly string[]
  readonly level: string
  readonly due: 'mandatory' | 'conditional' | 'pending'
}

interface SectionState {
  readonly name: string
  readonly label: string
  readonly stated: number
  readonly total: number
  /** Mandatory values that are missing. */
  readonly missing: number
  readonly findings: number
}

interface Finding {
  readonly section: string
  /** Control, to link to it. */
  readonly name: string
  readonly text: string
  readonly isAbsence: boolean
}

/** Forms of passports by the schema of their category. */
export default function consoleEditor({
  database,
  descriptions,
  moduleHooks,
  passportRows,
  passportRules,
  passports,
  passportViews,
  plugins,
}: ModuleCradle) {
  const forms = new Map(
    [...plugins.categories].map(([name, { schema }]) => [name, once(() => formOf(schema, COMMON_SCHEMA))]),
  )
  const common = once(() => formOf(undefined, COMMON_SCHEMA))

  return {
    load,
    formFor,
    notation,
    controls,
    labelOf,
    inspect,
    missingOf,
    sectionsOf,
    titleOf,
    categories,
    sectionLabel,
    packed,
    baseOf,
  }

  /** @throws Problem 404, 403 */
  async function load({ principal }: SignedIn, id: string): Promise<PassportRow> {
    if (!isUuid(id)) throw noPassport(id)
    const session = database.batchedFor(principal.tenantId)
    const [found, row] = await Promise.all([
      passports.find(principal, id, 'bound', session),
      passportRows.load(session, id.toLowerCase()),
    ])
    if (row === undefined || found.id !== row.id) throw noPassport(id)
    return row
  }

  function formFor(metadata: Metadata): FormModel {
    return (forms.get(textIn(metadata, 'category') ?? '') ?? common)()
  }

  function notation(lang: string) {
    return notationOf(lang, [...COUNTRY_CODES], LANGUAGES)
  }

  function controls(
    fields: readonly Field[],
    {
      me,
      metadata,
      values,
      errors,
    }: {
      readonly me: SignedIn
      readonly metadata: Metadata
      readonly values: FormValues
      readonly errors: readonly FieldError[]
    },
  ): readonly Control[] {
    const category = textIn(metadata, 'category') ?? ''
    const context: ControlContext = {
      ...{ values, errors, lang: me.lang, t: me.t },
      notation: notation(me.lang),
      description: descriptions.of(category, me.lang),
      audiencesOf: (key) => passportViews.audiencesOf(category, key),
    }
    return controlsOf(fields, context)
  }

  /** Labels of a control and the groups around it. */
  function labelOf(fields: readonly Field[], name: string, { category }: Metadata, { lang }: SignedIn): string {
    const description = descriptions.of(category, lang)
    const labels: string[] = []
    let [members, group]: [readonly Field[], string | undefined] = [fields, undefined]
    for (const step of name.replace(/(\{\}|\[\])$/, '').split('.')) {
      const field = members.find(({ key }) => key === step)
      if (field === undefined) continue
      labels.push((description.label(step, group) ?? step).replaceAll('\u00ad', ''))
      group = step
      members = field.members ?? field.entries?.members ?? []
    }
    return labels.join(' › ')
  }

  /** Values of the passport itself that the law asks for, with the section of each. */
  function missingOf(metadata: Metadata, completeness: Completeness | undefined) {
    const sections = new Map(formFor(metadata).fields.map(({ key, section }) => [key, section]))
    const missing = completeness?.missing.filter(({ level }) => level === 'model') ?? []
    return missing.map((value) => ({ ...value, section: sections.get(topOf(value.key)) ?? '' }))
  }

  /** Applies all rules to stored metadata. */
  function inspect({ productId, metadata }: Pick<PassportRow, 'productId' | 'metadata'>, lang: string) {
    const form = formFor(metadata)
    const read = once(() => readForm(form, valuesOf(form, metadata, notation(lang)), metadata, notation(lang)))
    const issues = passportRules.review({ productId, metadata }, lang)
    const { completeness } = moduleHooks.validated(metadata, lang) as { readonly completeness?: Completeness }
    return { issues, completeness, findings: once(() => findingsOf(form, issues, read().names, metadata)) }
  }

  function findingsOf(
    { fields }: FormModel,
    issues: readonly IssueText[],
    names: ReadonlyMap<string, string>,
    metadata: Metadata,
  ): readonly Finding[] {
    return issues.map(({ path, message, friendlyMessage = message }) => {
      const key = topOf(path)
      const section = fields.find((field) => field.key === key)?.section ?? ''
      return { section, name: names.get(path) ?? key, text: friendlyMessage, isAbsence: isAbsence(path, metadata) }
    })
  }

  function sectionsOf(
    metadata: Metadata,
    {
      findings,
      completeness,
    }: { readonly findings: readonly Finding[]; readonly completeness: Completeness | undefined },
    me: SignedIn,
  ): readonly SectionState[] {
    const { fields, sections } = formFor(metadata)
    const missing = new Set(
      completeness?.missing
        .filter(({ level, due }) => level === 'model' && due === 'mandatory')
        .map(({ key }) => topOf(key)),
    )
    return sections.map((name) => {
      const own = fields.filter(
        ({ key, section, isOtherForm, isGiven }) =>
          section === name && (Object.hasOwn(metadata, key) || !(isOtherForm || isGiven)),
      )
      return {
        name,
        label: sectionLabel(metadata, name, me),
        total: own.length,
        stated: own.filter(({ key }) => Object.hasOwn(metadata, key)).length,
        missing: own.filter(({ key }) => missing.has(key)).length,
        findings: findings.filter(({ section, isAbsence: isMissing }) => section === name && !isMissing).length,
      }
    })
  }

  function sectionLabel(metadata: Metadata, name: string, { lang, t }: SignedIn): string {
    const description = descriptions.of(metadata.category, lang)
    const [section = '', key] = name.split('.')
    const text = key === undefined ? description.section(section) : (description.label(key) ?? key)
    return (text === section ? t(`editor.section.${section}`) : text).replaceAll('\u00ad', '')
  }

  function titleOf({ productId, metadata }: Pick<PassportRow, 'productId' | 'metadata'>, lang: string): string {
    return textFor(metadata.productName, [lang]) ?? textIn(metadata, 'modelIdentifier') ?? productId
  }

  function categories({ lang }: SignedIn): readonly { readonly value: string; readonly text: string }[] {
    return [...plugins.categories.keys()]
      .map((value) => ({ value, text: (descriptions.of(value, lang).name ?? value).replaceAll('\u00ad', '') }))
      .toSorted((a, b) => a.text.localeCompare(b.text, lang))
  }

  /** Values that the form was made of: part of the form, packed. */
  function packed(base: Metadata): string {
    return deflateRawSync(JSON.stringify(base)).toString('base64url')
  }

  /** @throws Problem 400 */
  function baseOf(text: string | undefined): Metadata {
    try {
      const json = inflateRawSync(Buffer.from(text ?? '', 'base64url'), { maxOutputLength: MAX_BASE_BYTES })
      const base = parseGuardedJson(json)
      if (isRecord(base)) return base as { readonly [key: string]: Json }
    } catch {
      // Reported below.
    }
    throw badRequest('The form is incomplete. Open the page again.')
  }
}

const MAX_BASE_BYTES = 2_097_152

const topOf = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? path
