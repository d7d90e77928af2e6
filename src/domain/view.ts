import type { Audience } from './audience.ts'
import type { DocumentType } from './documents.ts'
import type { PublishedJourney } from './journey.ts'
import type { Enrichment, Metadata, Words } from './metadata.ts'

export type PassportStatus = 'DRAFT' | 'ACTIVE' | 'RECALLED' | 'DECOMMISSIONED'

/** Placeholder of masked values (specification 2.1, literal). */
export const REDACTED = '[REDACTED - Privileged Access Required]'

/** Proof (specification 2.2) with the `salts` of the seal rule. */
export interface Proof {
  readonly type: 'MerkleTreeAttestationProof'
  readonly '@type': readonly ['MerkleTreeAttestationProof']
  readonly signatureAlgorithm: 'ECDSA-P256-SHA256-over-MerkleRoot'
  readonly created: string
  readonly proofPurpose: 'assertionMethod'
  readonly verificationMethod: string
  /** Base64 DER signature over the 64 ASCII characters of `merkleRoot`. */
  readonly signatureValue: string
  readonly publicKeyPem: string
  readonly x5c?: readonly string[]
  readonly rfc3161?: { readonly genTime: string | null; readonly token: string }
  /** Hex SHA-256. */
  readonly merkleRoot: string
  /** Leaf hash (hex) of masked metadata keys. */
  readonly redactedLeaves?: Readonly<Record<string, string>>
  /** Base64url salt of visible metadata keys. */
  readonly salts: Readonly<Record<string, string>>
  /** Absent on seals of earlier versions. */
  readonly subject?: SealSubject
}

/** Value of the leaf `@passport`. Prevents reuse of a proof for another product, company or date, and false claims of masking. */
export type SealSubject = {
  readonly id: string
  readonly productId: string
  readonly operator: { readonly id: string; readonly regId: string }
  /** ISO 8601 in UTC, with milliseconds. */
  readonly created: string
  /** Metadata keys that may be masked, by UTF-16 code unit. */
  readonly maskable: readonly string[]
}

/** Timestamps are ISO 8601 in UTC. */
export interface PassportOutline {
  readonly baseUrl: string
  readonly id: string
  readonly productId: string
  readonly identifier: { readonly scheme: 'gtin' | 'grai' | 'sku'; readonly value: string }
  readonly digitalLinkUri: string
  readonly status: PassportStatus
  readonly archivedAt: string | null
  readonly retentionUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Changes with everything visible. */
  readonly version: number
  readonly operator: { readonly id: string; readonly name: string; readonly regId: string; readonly role: string }
  readonly seal: { readonly signature: string; readonly publicKeyPem: string } | null
}

/** Parts of the view that modules provide, not sealed; a module adds a member by declaration merging. */
export interface PassportParts {
  /** Oldest first. */
  readonly links: readonly LinkView[]
  /** Pictures in order, then documents. */
  readonly media: readonly MediaView[]
  readonly brand: BrandView | null
  readonly registration: RegistrationView | null
}

/** Parts of a gateway without modules. */
export const NO_PARTS: PassportParts = { links: [], media: [], brand: null, registration: null }

/** Passport redacted for one caller, so no representation can leak. */
export interface PassportView extends PassportOutline, PassportParts {
  readonly audience: Audience
  readonly facility: FacilityView | null
  /** Masked keys hold `REDACTED`. */
  readonly metadata: Metadata
  readonly maskedKeys: readonly string[]
  /** Masked keys that an access request can open. */
  readonly grantableKeys: readonly string[]
  readonly privilegedKeys: readonly string[]
  readonly seal: { readonly signature: string; readonly publicKeyPem: string; readonly proof: Proof } | null
  readonly enrichment: Enrichment | null
  readonly operator: PassportOutline['operator'] & {
    readonly contact: ContactView | null
  }
  /** Last day of required availability. */
  readonly availableUntil?: string | undefined
  readonly recall: RecallView | null
  readonly journey: PublishedJourney | null
  /** Sections of modules on the page for people. */
  readonly sections: readonly PageSection[]
  readonly versions?: VersionNumbers
}

export interface PageSection {
  readonly title: Words
  readonly rows: readonly PageRow[]
}

interface PageRow {
  readonly label: Words
  readonly value: Words
  readonly href?: string
}

/** Numbers in the history, for the query parameter `version`. */
export interface VersionNumbers {
  readonly shown: number | null
  /** Newest first, up to a limit; `until` is the replacement, ISO 8601 in UTC. */
  readonly earlier: readonly { readonly number: number; readonly until: string }[]
}

export interface LinkView {
  readonly rel: 'replaces' | 'replacedBy' | 'derivedFrom' | 'sourceOf' | 'hasPart' | 'partOf'
  readonly target: string
  readonly identifier: string
  /** ISO 8601 in UTC. */
  readonly since: string
}

/** Size in pixels. */
export interface ImageView {
  readonly url: string
  readonly width: number
  readonly height: number
}

export interface MediaView {
  readonly id: string
  readonly kind: 'picture' | 'document'
  readonly mediaType: string
  readonly title: Words | null
  /** Largest size of a picture. */
  readonly url: string
  /** Smallest first; empty for a document. */
  readonly sizes: readonly ImageView[]
  readonly documentType?: DocumentType | undefined
  readonly language?: string | undefined
  /** Hexadecimal, documents only. */
  readonly sha256?: string | undefined
  /** File size; not in passport documents. */
  readonly bytes: number
}

export interface BrandView {
  readonly logo: ImageView | null
  /** `#rrggbb`, readable on light and dark backgrounds. */
  readonly accent: string | null
}

export interface ContactView {
  readonly address?: string
  readonly email?: string
  readonly phone?: string
  readonly website?: string
}

export interface RecallView {
  readonly reason: Words | null
  /** Start of the recall; ISO 8601 in UTC. */
  readonly at: string
  /** E-mail address, telephone number or web address. */
  readonly contact: string | null
  readonly url: string | null
}

/** Registration (Regulation (EU) 2026/1778, Article 9); does not prove compliance. */
export interface RegistrationView {
  readonly registry: string
  readonly identifier: string
  /** ISO 8601 in UTC. */
  readonly registeredAt: string
  /** Version in the history; `hash` is its Merkle root. */
  readonly version: number
  readonly hash: string
  readonly proof?: string
}

/** Sealed version in its public view. */
export interface VersionView extends PassportView {
  readonly superseded: Superseded | null
}

export interface Superseded {
  readonly number: number
  readonly at: string
  readonly url: string
  readonly currentUrl: string
  readonly statusNow: PassportStatus
}

export interface FacilityView {
  readonly id: string
  /** GS1 Global Location Number, 13 digits. */
  readonly gln: string
  readonly name: string
  readonly activity: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Owner only (specification 2.4). */
  readonly streetAddress?: string | null
  readonly city?: string | null
  readonly postalCode?: string | null
}
