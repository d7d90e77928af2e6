import type { Cradle } from '../cradle.ts'
import { trimmedProductId } from '../domain/identifiers.ts'
import { parseGuardedJson } from '../domain/json-guard.ts'
import type { Json, Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { assertPermission, type Principal } from '../domain/principal.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import { REDACTED } from '../domain/view.ts'
import type { ParseContext, ParsedSeal } from '../plugin/contracts.ts'
import type { ValidatedRow } from './ingest-passports.ts'
import { validationMessage } from './passport-rules.ts'

interface Imported {
  readonly message: string
  readonly passportId: string
  readonly productId: string
  readonly isSealed: boolean
  readonly signatureVerified: boolean
}

interface Stated {
  /** Identifier in the metadata, else in the enclosing document (specification 4.1). */
  readonly productId: string
  readonly metadata: Metadata
  readonly seal: ParsedSeal | undefined
}

declare module '../cradle.ts' {
  interface Cradle {
    passportImport: ReturnType<typeof passportImport>
  }
}

export default function passportImport({
  plugins,
  categoryValidator,
  passportRules,
  seals,
  passportIntake,
  log,
}: Cradle) {
  const representations = plugins.representations
  const context: ParseContext = {
    parseJson: (text) => parseGuardedJson(Buffer.from(text)) as Json,
    takesStructure: (category, key) => categoryValidator.takesStructure(category, key),
    redacted: REDACTED,
  }

  return { ingest, read, attested }

  /**
   * Publishes a document's passport, or replaces the unsealed one of its product and operator.
   * @param format name of the representation
   * @throws Problem 400 as in specification 4.1, also for internal failures; 403 for a sealed passport, or without `passport:update` or
   * `passport:seal`; 402 without capacity
   */
  async function ingest(principal: Principal, format: string, document: unknown, lang: string): Promise<Imported> {
    try {
      const { productId: named, metadata, seal: parsed } = read(format, document, lang)
      const productId = trimmedProductId(named)
      passportRules.assertValid(metadata, passportRules.identify(productId), lang)
      const seal = parsed === undefined ? undefined : await attest(principal, parsed, { productId, metadata })
      const changeReason = `Ingested as ${format.toUpperCase()}`
      const passportId = await passportIntake.upsert(principal, { productId, metadata, seal, changeReason }, lang)
      return {
        message: 'The passport is ingested.',
        passportId,
        productId,
        isSealed: seal !== undefined,
        signatureVerified: seal !== undefined,
      }
    } catch (error) {
      if (error instanceof Problem) throw error
      log.error({ err: error, tenantId: principal.tenantId, format }, 'a document could not be ingested')
      throw new Problem(400, 'The document could not be ingested.', { title: 'Ingestion Failed', cause: error })
    }
  }

  /** Parses a document without validating its product data or seal. @throws Problem 400 */
  function read(format: string, document: unknown, lang: string): Stated {
    const plugin = representations.find(({ name }) => name === format)
    if (plugin?.parse === undefined) throw new Error(`No plugin parses ${format}.`)
    const { metadata, issues, productId: outer, seal } = plugin.parse(document, context)
    assertPlainKeys(metadata)
    if (issues.length > 0) {
      const errors = categoryValidator.inWords(issues, metadata.category, lang)
      const category = typeof metadata.category === 'string' ? metadata.category : 'unknown'
      throw new Problem(400, validationMessage(errors), { title: 'Validation Failed', category, issues: errors })
    }
    const productId = [metadata.gtin, metadata.grai, metadata.productId, outer].find(isFilled)
    if (productId === undefined)
      throw badRequest('The document has no product identifier: add gtin, grai or productId.')
    return { productId, metadata, seal }
  }

  /**
   * Adds the verified seal to a validated row.
   * @throws Problem 400 unless this workspace sealed this content; 403 without `passport:seal`
   */
  async function attested(principal: Principal, row: ValidatedRow, parsed: ParsedSeal): Promise<ValidatedRow> {
    const seal = await attest(principal, parsed, row)
    return { ...row, id: seal.subject.id, operatorId: seal.subject.operator.id, seal }
  }

  function attest(principal: Principal, parsed: ParsedSeal, content: Pick<ValidatedRow, 'productId' | 'metadata'>) {
    assertPermission(principal, 'passport:seal')
    return seals.attest(principal, parsed, content)
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
