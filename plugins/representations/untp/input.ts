import type { Issuer, JsonRecord, PassportView, StatusPlace } from '../../../src/plugin/index.ts'
import type { ClaimedFigure } from './claims.ts'

/** Version-independent input of UNTP credentials. */
export interface UntpInput {
  /** The product's passport, also for units. */
  readonly view: PassportView
  readonly subject: UntpSubject
  readonly issuer: Issuer
  readonly statusPlace: StatusPlace
  readonly facility: NonNullable<PassportView['facility']>
  readonly name: string
  readonly category: string
  readonly materials: readonly PassportMaterial[]
  readonly claims: readonly ClaimedFigure[]
  /** Visible to the reader, safe for JSON-LD. */
  readonly characteristics: JsonRecord
}

interface UntpSubject {
  readonly granularity: 'model' | 'item'
  readonly credentialId: string
  readonly url: string
  readonly digitalLinkUri: string
  readonly title: string
  readonly updatedAt: string
  readonly serialNumber?: string
  /** `YYYY-MM-DD`. */
  readonly productionDate?: string
}

export interface PassportMaterial {
  readonly name: string
  /** ISO 3166-1 alpha-2; absent if unknown. */
  readonly originCountry?: string
  /** Fraction, 0 to 1. */
  readonly massFraction?: number
  readonly recycledMassFraction?: number
}

/** Returns the GS1 scheme of the product ID; own article numbers use the issuer's scheme. */
export function identifierScheme({ identifier }: PassportView, issuer: Issuer) {
  const schemes = {
    gtin: { id: 'https://id.gs1.org/01/', name: 'GS1 Global Trade Item Number (GTIN)' },
    grai: { id: 'https://id.gs1.org/8003/', name: 'GS1 Global Returnable Asset Identifier (GRAI)' },
    sku: { id: issuer.did, name: `Article numbers of ${issuer.name}` },
  }
  return schemes[identifier.scheme]
}
