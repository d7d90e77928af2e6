import type { CategoryVerdict } from '../categories/category-validator.ts'
import type { Cradle } from '../cradle.ts'
import { personalDataRemark, type Remark } from '../domain/advisories.ts'
import { type Identifier, paddedGtin, identify as readIdentifier } from '../domain/identifiers.ts'
import { type Metadata, textIn } from '../domain/metadata.ts'
import { assertPlainKeys, identifierRules } from '../domain/metadata-rules.ts'
import { type Advisory, badRequest, type IssueText, orProblem, Problem } from '../domain/problem.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { PassportRow } from './passport-columns.ts'

/** GS1 application identifiers (GS1 General Specifications 3.2). */
const AI = { gtin: '01', grai: '8003' } as const

const VALID = 'The metadata meets the rules of its category.'

declare module '../cradle.ts' {
  interface Cradle {
    passportRules: ReturnType<typeof passportRules>
  }
}

type Parts = PassportRow['parts']

export default function passportRules({
  config,
  categoryValidator,
  descriptions,
  translator,
  gs1Engine,
  moduleHooks,
  passportViews,
  plugins,
}: Cradle) {
  const checks = [...plugins.passportParts].filter(([, { check }]) => check !== undefined)

  return { validate, identify, assertValid, assertParts, findings, review, remarks, warnings }

  /** Validates a passport without storing it; its documents are unknown. */
  function validate(input: Schema<'PassportToValidate'>, lang: string): Content<'ValidationPassed'> {
    let identifier: Identifier
    try {
      identifier = identify(input.productId)
      assertPlainKeys(input.metadata)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw new Problem(400, error.message, { ...error.fields, extra: { category: 'unknown', errors: [] } })
    }
    const { metadata } = withIdentifier(input.metadata, identifier)
    const { category, errors } = validateWith(metadata, identifier, lang, undefined)
    const found = remarksOn(metadata, identifier, lang).map((remark) => translator.advisory(remark, lang))
    if (errors.length > 0) throw invalid(errors, category, found)
    return {
      message: VALID,
      category,
      errors: [] as [],
      warnings: found.length === 0 ? undefined : found,
      ...moduleHooks.validated(metadata, lang),
    }
  }

  function identify(productId: string): Identifier {
    const identifier = readIdentifier(productId)
    if (identifier.scheme !== 'sku') {
      const [problem] = gs1Engine.checkElementString([[AI[identifier.scheme], identifier.value]])
      if (problem !== undefined) throw badRequest(`productId: ${problem}`, 'GS1_KEY_INVALID')
    }
    return identifier
  }

  /**
   * @param media undefined if unknown
   * @returns the category
   * @throws Problem 400 with every finding in `lang`
   */
  function assertValid(
    metadata: Metadata,
    identifier: Identifier | undefined,
    lang: string,
    { withWarnings = true, parts }: { readonly withWarnings?: boolean; readonly parts?: Parts } = {},
  ): string {
    const { category, errors } = validateWith(metadata, identifier, lang, parts)
    if (errors.length === 0) return category
    throw invalid(errors, category, withWarnings ? warnings(metadata, identifier, lang) : [])
  }

  /** Checks validated metadata against the parts of modules. @throws Problem 400 */
  function assertParts(metadata: Metadata, parts: Parts, lang: string): void {
    const category = textIn(metadata, 'category') ?? 'unknown'
    const errors = partErrors(metadata, parts, category, lang)
    if (errors.length > 0) throw invalid(errors, category, [])
  }

  function findings(metadata: Metadata, identifier: Identifier | undefined, lang: string): readonly IssueText[] {
    return validateWith(metadata, identifier, lang, {}).errors
  }

  function validateWith(
    metadata: Metadata,
    identifier: Identifier | undefined,
    lang: string,
    parts: Parts | undefined,
  ): CategoryVerdict {
    const { category, errors } = categoryValidator.validate(metadata, lang)
    const named = categoryValidator.inWords([...identifierRules(metadata, identifier)], category, lang)
    const ofParts = parts === undefined || errors.length > 0 ? [] : partErrors(metadata, parts, category, lang)
    return { category, errors: [...errors, ...named, ...ofParts] }
  }

  function partErrors(metadata: Metadata, parts: Parts, category: string, lang: string) {
    const context = { baseUrl: config.baseUrl, audiencesOf: (key: string) => passportViews.audiencesOf(category, key) }
    const found = checks.flatMap(([name, part]) => [...(part.check?.(metadata, parts[name] ?? null, context) ?? [])])
    return categoryValidator.inWords(found, category, lang)
  }

  function review({ productId, metadata }: JsonRecord, lang: string): readonly IssueText[] {
    const asIssue = (path: string, { message }: Problem): IssueText => ({ path, message, friendlyMessage: message })
    const identifier = orProblem(() => {
      if (typeof productId !== 'string') throw badRequest('productId is missing or not a string.')
      return identify(productId)
    })
    const ofProduct = identifier instanceof Problem ? [asIssue('productId', identifier)] : []
    const ofMetadata = orProblem(() => {
      if (!isRecord(metadata)) throw badRequest('metadata is required and must be an object.')
      assertPlainKeys(metadata)
      return findings(metadata, identifier instanceof Problem ? undefined : identifier, lang)
    })
    return [...ofProduct, ...(ofMetadata instanceof Problem ? [asIssue('metadata', ofMetadata)] : ofMetadata)]
  }

  function remarks({ productId, metadata }: JsonRecord, lang: string): Remark[] {
    if (typeof productId !== 'string' || !isRecord(metadata)) return []
    const identifier = orProblem(() => readIdentifier(productId))
    const known = identifier instanceof Problem ? undefined : identifier
    return remarksOn(metadata as Metadata, known, lang)
  }

  function remarksOn(metadata: Metadata, identifier: Identifier | undefined, lang: string): Remark[] {
    const advice = adviceOf(metadata, identifier)
    const isGtin = advice.some(({ code }) => code === 'GTIN_NEEDS_PADDING')
    const general = warningsOf(metadata, identifier, lang)
    return [...general.filter(({ code }) => !isGtin || code !== 'NON_GS1_PRODUCT_ID'), ...advice]
  }

  /** Returns non-blocking warnings (specification 2.7). */
  function warnings(metadata: Metadata, identifier: Identifier | undefined, lang: string): Advisory[] {
    return warningsOf(metadata, identifier, lang).map((remark) => translator.advisory(remark, lang))
  }

  function warningsOf(metadata: Metadata, identifier: Identifier | undefined, lang: string): Remark[] {
    const found: (Remark | undefined)[] = [
      identifier?.scheme === 'sku' ? { code: 'NON_GS1_PRODUCT_ID', path: 'productId' } : undefined,
      personalDataRemark(metadata, descriptions.of(metadata.category, lang).field),
    ]
    return found.filter((remark) => remark !== undefined)
  }

  /** Advice for validations and imports only (specification 2.7). */
  function adviceOf(metadata: Metadata, identifier: Identifier | undefined): Remark[] {
    const gtin = identifier?.scheme === 'sku' ? paddedGtin(identifier.value) : undefined
    return [
      ...(gtin === undefined ? [] : [{ code: 'GTIN_NEEDS_PADDING', path: 'productId', params: { gtin } } as const]),
      ...categoryValidator.unknownKeys(metadata).map((unknown) => {
        const params = {
          field: unknown.path,
          get suggestion() {
            return unknown.suggestion
          },
        }
        return { code: 'UNKNOWN_KEY', path: unknown.path, params } as const
      }),
    ]
  }
}

/** Copies the identifier to `metadata.gtin` or `metadata.grai` if absent (specification 4.1). */
export function withIdentifier(
  metadata: Metadata,
  identifier: Identifier | undefined,
): { metadata: Metadata; copied?: 'gtin' | 'grai' } {
  if (identifier === undefined || identifier.scheme === 'sku' || metadata[identifier.scheme] !== undefined)
    return { metadata }
  return { metadata: { ...metadata, [identifier.scheme]: identifier.value }, copied: identifier.scheme }
}

const invalid = (errors: readonly IssueText[], category: string, warnings: readonly Advisory[]) =>
  new Problem(400, validationMessage(errors), { title: 'Validation Failed', category, issues: errors, warnings })

export function validationMessage(errors: readonly IssueText[]): string {
  const [first] = errors
  if (errors.length === 1) return `${first?.path}: ${first?.message}`
  return `The metadata has ${errors.length} problems; the first is at ${first?.path}: ${first?.message}`
}
