import type { Logger } from 'pino'
import { parseGuardedJson } from '../domain/json-guard.ts'
import type { Json } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { assertPermission, type Principal } from '../domain/principal.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import { REDACTED } from '../domain/view.ts'
import type { ParseContext, ParsedPassport, RepresentationPlugin } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { CategoryValidator } from './category-validator.ts'
import type { PassportIntake } from './passport-intake.ts'
import { type PassportRules, trimmedProductId, validationMessage } from './passport-rules.ts'
import type { Seals } from './seals.ts'

/** What a caller gets back for a passport that came in as a document (specification 4.1). */
export interface Imported {
  readonly message: string
  readonly passportId: string
  readonly productId: string
  readonly isSealed: boolean
  readonly signatureVerified: boolean
}

/** Takes passports in that other systems state in a format of theirs, which a representation plugin parses. */
export class PassportImport {
  readonly #representations: readonly RepresentationPlugin[]
  readonly #validator: CategoryValidator
  readonly #rules: PassportRules
  readonly #seals: Seals
  readonly #intake: PassportIntake
  readonly #log: Logger
  readonly #context: ParseContext

  constructor(dependencies: {
    plugins: LoadedPlugins
    validator: CategoryValidator
    rules: PassportRules
    seals: Seals
    intake: PassportIntake
    log: Logger
  }) {
    this.#representations = dependencies.plugins.representations
    this.#validator = dependencies.validator
    this.#rules = dependencies.rules
    this.#seals = dependencies.seals
    this.#intake = dependencies.intake
    this.#log = dependencies.log
    this.#context = {
      parseJson: (text) => parseGuardedJson(Buffer.from(text)) as Json,
      takesStructure: (category, key) => this.#validator.takesStructure(category, key),
      redacted: REDACTED,
    }
  }

  /**
   * Publishes the passport of `document`, or replaces the unsealed one of its product and operator. A seal that comes
   * along must be one of this workspace over this very metadata. The permission to create does not include these two.
   * @param format name of the representation that parses it
   * @throws Problem 400 with `error` as specification 4.1 lists them, failures of our own included; 403 for a sealed
   * passport, and without `passport:update` for one that exists or `passport:seal` for a seal; 402 where the plan has no room
   */
  async ingest(principal: Principal, format: string, document: unknown, lang: string): Promise<Imported> {
    try {
      const parsed = this.#parse(format, document)
      const productId = this.#judge(parsed, lang)
      const { metadata } = parsed
      if (parsed.seal !== undefined) assertPermission(principal, 'passport:seal')
      const seal =
        parsed.seal === undefined
          ? undefined
          : await this.#seals.attest(principal, parsed.seal, { productId, metadata })
      const changeReason = `Ingested as ${format.toUpperCase()}`
      const passportId = await this.#intake.upsert(principal, { productId, metadata, seal, changeReason })
      return {
        message: 'The passport is ingested.',
        passportId,
        productId,
        isSealed: seal !== undefined,
        signatureVerified: seal !== undefined,
      }
    } catch (error) {
      if (error instanceof Problem) throw error
      this.#log.error({ err: error, tenantId: principal.tenantId, format }, 'a document could not be ingested')
      throw new Problem(400, 'The document could not be ingested.', { title: 'Ingestion Failed', cause: error })
    }
  }

  #parse(format: string, document: unknown): ParsedPassport {
    const plugin = this.#representations.find(({ name }) => name === format)
    if (plugin?.parse === undefined) throw new Error(`No plugin parses ${format}.`)
    return plugin.parse(document, this.#context)
  }

  /** @returns the product id, which the metadata names before the document around it does (specification 4.1) */
  #judge({ metadata, issues, productId: outer }: ParsedPassport, lang: string): string {
    assertPlainKeys(metadata)
    if (issues.length > 0) {
      const errors = this.#validator.inWords(issues, metadata.category, lang)
      const category = typeof metadata.category === 'string' ? metadata.category : 'unknown'
      throw new Problem(400, validationMessage(errors), { title: 'Validation Failed', category, issues: errors })
    }
    const found = [metadata.gtin, metadata.grai, metadata.productId, outer].find(isFilled)
    if (found === undefined) throw badRequest('The document names no product: gtin, grai or productId.')
    const productId = trimmedProductId(found)
    const identifier = this.#rules.identify(productId)
    this.#rules.assertValid(metadata, identifier, lang)
    return productId
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
