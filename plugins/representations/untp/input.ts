import type { Issuer, JsonRecord, PassportView, StatusPlace } from '../../../src/plugin/index.ts'
import type { ClaimedFigure } from './claims.ts'

/** What a version of UNTP is given, so that it only says where things stand. */
export interface UntpInput {
  /** The passport of the product; of a unit, that of the product that it is one of. */
  readonly view: PassportView
  readonly subject: UntpSubject
  readonly issuer: Issuer
  readonly statusPlace: StatusPlace
  readonly facility: NonNullable<PassportView['facility']>
  readonly name: string
  readonly category: string
  readonly materials: readonly PassportMaterial[]
  readonly claims: readonly ClaimedFigure[]
  /** The metadata that this reader may see, fit for JSON-LD. */
  readonly characteristics: JsonRecord
}

/** What a credential is about: all of a product, or one unit of it. */
interface UntpSubject {
  readonly granularity: 'model' | 'item'
  readonly credentialId: string
  /** Address of the passport, or of the unit. */
  readonly url: string
  readonly digitalLinkUri: string
  /** What the credential is called. */
  readonly title: string
  readonly updatedAt: string
  readonly serialNumber?: string
  /** Year, month and day. */
  readonly productionDate?: string
}

/** One material with what is known of it. */
export interface PassportMaterial {
  readonly name: string
  /** ISO 3166-1 alpha-2; absent where the passport does not say. */
  readonly originCountry?: string
  /** 0 to 1. */
  readonly massFraction?: number
  /** 0 to 1. */
  readonly recycledMassFraction?: number
}

/** Product identifier schemes as GS1 names them; an own article number belongs to the scheme of its issuer. */
export function identifierScheme({ identifier }: PassportView, issuer: Issuer) {
  const schemes = {
    gtin: { id: 'https://id.gs1.org/01/', name: 'GS1 Global Trade Item Number (GTIN)' },
    grai: { id: 'https://id.gs1.org/8003/', name: 'GS1 Global Returnable Asset Identifier (GRAI)' },
    sku: { id: issuer.did, name: `Article numbers of ${issuer.name}` },
  }
  return schemes[identifier.scheme]
}
