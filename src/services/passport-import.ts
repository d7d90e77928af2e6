import type { Cradle } from '../cradle.ts'
import { trimmedProductId } from '../domain/identifiers.ts'
import { parseGuardedJson } from '../domain/json-guard.ts'
import type { Json } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { assertPermission, type Principal } from '../domain/principal.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import { REDACTED } from '../domain/view.ts'
import type { ParseContext, ParsedPassport } from '../plugin/contracts.ts'
import { validationMessage } from './passport-rules.ts'

/** What a caller gets back for a passport that came in as a document (specification 4.1). */
interface Imported {
  readonly message: string
  readonly passportId: string
  readonly productId: string
  readonly isSealed: boolean
  readonly signatureVerified: boolean
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

  return { ingest }

  /**
   * Publishes the passport of `document`, or replaces the unsealed one of its product and operator. A seal that comes
   * along must be one of this workspace over this very metadata. The permission to create does not include these two.
   * @param format name of the representation that parses it
   * @throws Problem 400 with `error` as specification 4.1 lists them, failures of our own included; 403 for a sealed
   * passport, and without `passport:update` for one that exists or `passport:seal` for a seal; 402 where the plan has no room
   */
  async function ingest(principal: Principal, format: string, document: unknown, lang: string): Promise<Imported> {
    try {
      const parsed = parse(format, document)
      const productId = judge(parsed, lang)
      const { metadata } = parsed
      if (parsed.seal !== undefined) assertPermission(principal, 'passport:seal')
      const seal =
        parsed.seal === undefined ? undefined : await seals.attest(principal, parsed.seal, { productId, metadata })
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

  function parse(format: string, document: unknown): ParsedPassport {
    const plugin = representations.find(({ name }) => name === format)
    if (plugin?.parse === undefined) throw new Error(`No plugin parses ${format}.`)
    return plugin.parse(document, context)
  }

  /** @returns the product id, which the metadata names before the document around it does (specification 4.1) */
  function judge({ metadata, issues, productId: outer }: ParsedPassport, lang: string): string {
    assertPlainKeys(metadata)
    if (issues.length > 0) {
      const errors = categoryValidator.inWords(issues, metadata.category, lang)
      const category = typeof metadata.category === 'string' ? metadata.category : 'unknown'
      throw new Problem(400, validationMessage(errors), { title: 'Validation Failed', category, issues: errors })
    }
    const found = [metadata.gtin, metadata.grai, metadata.productId, outer].find(isFilled)
    if (found === undefined) throw badRequest('The document names no product: gtin, grai or productId.')
    const productId = trimmedProductId(found)
    const identifier = passportRules.identify(productId)
    passportRules.assertValid(metadata, identifier, lang)
    return productId
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
