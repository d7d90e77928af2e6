import type { Cradle } from '../cradle.ts'
import { trimmedProductId } from '../domain/identifiers.ts'
import { parseGuardedJson } from '../domain/json-guard.ts'
import type { Json, Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { assertPermission, type Principal } from '../domain/principal.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import { REDACTED } from '../domain/view.ts'
import type { ParseContext, ParsedSeal } from '../plugin/contracts.ts'
import type { ValidatedRow } from './passport-intake.ts'
import { validationMessage } from './passport-rules.ts'

/** What a caller gets back for a passport that came in as a document (specification 4.1). */
interface Imported {
  readonly message: string
  readonly passportId: string
  readonly productId: string
  readonly isSealed: boolean
  readonly signatureVerified: boolean
}

/** What a document states. */
interface Stated {
  /** As the metadata names it, before the document around it does (specification 4.1). */
  readonly productId: string
  readonly metadata: Metadata
  readonly seal: ParsedSeal | undefined
}

declare module '../cradle.ts' {
  interface Cradle {
    passportImport: ReturnType<typeof passportImport>
  }
}

/** Takes passports in that other systems state in a format of theirs, which a representation plugin parses. */
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
   * Publishes the passport of `document`, or replaces the unsealed one of its product and operator. A seal that comes
   * along must be one of this workspace over this very metadata. The permission to create does not include these two.
   * @param format name of the representation that parses it
   * @throws Problem 400 with `error` as specification 4.1 lists them, failures of our own included; 403 for a sealed
   * passport, and without `passport:update` for one that exists or `passport:seal` for a seal; 402 where the plan has no room
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

  /**
   * What a document states, as far as that is a matter of its form: what it says of the product is not judged, nor its seal.
   * @param format as {@link ingest}
   * @throws Problem 400
   */
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
    if (productId === undefined) throw badRequest('The document names no product: gtin, grai or productId.')
    return { productId, metadata, seal }
  }

  /**
   * The judged row of a document that brings a seal along, with the seal and as the passport that it names.
   * @throws Problem 400 for a seal that this workspace has not made over this; 403 without `passport:seal`
   */
  async function attested(principal: Principal, row: ValidatedRow, parsed: ParsedSeal): Promise<ValidatedRow> {
    const seal = await attest(principal, parsed, row)
    return { ...row, id: seal.subject.id, operatorId: seal.subject.operator.id, seal }
  }

  /** The permission to create does not include this one. */
  function attest(principal: Principal, parsed: ParsedSeal, content: Pick<ValidatedRow, 'productId' | 'metadata'>) {
    assertPermission(principal, 'passport:seal')
    return seals.attest(principal, parsed, content)
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
