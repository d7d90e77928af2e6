import type { Audience } from './audience.ts'
import type { DocumentType } from './documents.ts'
import type { PublishedJourney } from './epcis/journey.ts'
import type { ShownRel } from './links.ts'
import type { Enrichment, Metadata, Words } from './metadata.ts'

export type PassportStatus = 'DRAFT' | 'ACTIVE' | 'RECALLED' | 'DECOMMISSIONED'

/** What stands in for a masked value (specification 2.1, literal). */
export const REDACTED = '[REDACTED - Privileged Access Required]'

/** Proof block of a sealed passport (specification 2.2, with the additive `salts` of the seal rule). */
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
  /** Leaf hash (hex) of every masked metadata key. */
  readonly redactedLeaves?: Readonly<Record<string, string>>
  /** Base64url salt of every metadata key whose value the caller sees. */
  readonly salts: Readonly<Record<string, string>>
  /** What the seal is about, the value of the leaf `@passport`. Absent on seals of earlier versions. */
  readonly subject?: SealSubject
}

/**
 * What a seal is about. It is the value of the leaf `@passport`, so that a genuine proof cannot be put under another
 * product, company or date, and nothing can be passed off as masked.
 */
export type SealSubject = {
  /** UUID of the passport. */
  readonly id: string
  readonly productId: string
  readonly operator: { readonly id: string; readonly regId: string }
  /** When the seal was made: ISO 8601 in UTC, with milliseconds. */
  readonly created: string
  /** The metadata keys that a reader may find masked, by UTF-16 code unit. */
  readonly maskable: readonly string[]
}

/** What every reader may see of a passport, without what it says. Timestamps are ISO 8601 in UTC. */
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
  /** Moves with everything that a reader can see. */
  readonly version: number
  readonly operator: { readonly id: string; readonly name: string; readonly regId: string; readonly role: string }
  readonly seal: { readonly signature: string; readonly publicKeyPem: string } | null
}

/** One passport as one caller may see it: redacted for the reader already, so that no representation can leak. */
export interface PassportView extends PassportOutline {
  readonly audience: Audience
  readonly facility: FacilityView | null
  /** Masked keys hold the literal `REDACTED`. */
  readonly metadata: Metadata
  /** The metadata keys whose values are masked for this reader. */
  readonly maskedKeys: readonly string[]
  /** Those of them that a request for access can open: the others are for authorities, or for the owner alone. */
  readonly grantableKeys: readonly string[]
  /** The metadata keys that this reader reads and the public does not. */
  readonly privilegedKeys: readonly string[]
  readonly seal: { readonly signature: string; readonly publicKeyPem: string; readonly proof: Proof } | null
  readonly enrichment: Enrichment | null
  readonly operator: PassportOutline['operator'] & {
    /** How to reach it; null where nothing is said. */
    readonly contact: ContactView | null
  }
  /** Other passports that this one is linked with, oldest first. They are outside of the seal. */
  readonly links: readonly LinkView[]
  /** Pictures in their order, and then documents that this reader may fetch. They are outside of the seal. */
  readonly media: readonly MediaView[]
  /** The last day on which the passport must be there, where something says so. */
  readonly availableUntil?: string | undefined
  /** How the workspace that issued it looks; null where it has said nothing. */
  readonly brand: BrandView | null
  /** Why it is recalled; null where it is not, or nothing was said. */
  readonly recall: RecallView | null
  /** Where a registry knows it; null where none does. */
  readonly registration: RegistrationView | null
  /** How it came to be, where that is published and the reader may see it. */
  readonly journey: PublishedJourney | null
  /** Numbers of its sealed versions; absent if they were not read. */
  readonly versions?: VersionNumbers
}

/** Numbers of sealed versions, which the query parameter `version` takes, as the history of the passport counts. */
export interface VersionNumbers {
  /** Number of the version in view; null if it is not sealed. */
  readonly shown: number | null
  /** Versions before the current one, newest first, up to a limit. `until`: when it was replaced, ISO 8601 in UTC. */
  readonly earlier: readonly { readonly number: number; readonly until: string }[]
}

/** A passport that another is linked with. */
export interface LinkView {
  /** What this product does to the other one, or what the other one is to it. */
  readonly rel: ShownRel
  /** Where the other passport is. */
  readonly target: string
  /** Of the other product. */
  readonly identifier: string
  /** ISO 8601 in UTC. */
  readonly since: string
}

/** An address at which its bytes never change, and its size in pixels. */
export interface ImageView {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** A picture or a document of a passport, served by the gateway itself. */
export interface MediaView {
  readonly id: string
  readonly kind: 'picture' | 'document'
  readonly mediaType: string
  readonly title: Words | null
  /** Of a picture: its largest size. */
  readonly url: string
  /** Of a picture, the smallest first; of a document none. */
  readonly sizes: readonly ImageView[]
  /** What a document is, and its language, where it was said. */
  readonly documentType?: DocumentType | undefined
  readonly language?: string | undefined
  /** Of the file of a document, in hexadecimal. */
  readonly sha256?: string | undefined
  /** How large it is; no document says so. */
  readonly bytes: number
}

export interface BrandView {
  readonly logo: ImageView | null
  /** `#rrggbb`; readable on the page's backgrounds, light and dark. */
  readonly accent: string | null
}

/** What is left out was not said. */
export interface ContactView {
  readonly address?: string
  readonly email?: string
  readonly phone?: string
  readonly website?: string
}

export interface RecallView {
  readonly reason: Words | null
  /** Since when it is recalled; ISO 8601 in UTC. */
  readonly at: string
  /** An e-mail address, a telephone number or a web address. */
  readonly contact: string | null
  readonly url: string | null
}

/** That a registry knows a passport (Regulation (EU) 2026/1778, Article 9); it proves no compliance. */
export interface RegistrationView {
  /** Where it is registered. */
  readonly registry: string
  /** Given by the registry. */
  readonly identifier: string
  /** ISO 8601 in UTC. */
  readonly registeredAt: string
  /** Which version the registry was told of, as the history counts, and its hash: the Merkle root of its seal. */
  readonly version: number
  readonly hash: string
  /** Where the registry's own proof is; absent where it gave none. */
  readonly proof?: string
}

/** A sealed version of a passport as the public read it, whoever reads it now. */
export interface VersionView extends PassportView {
  /** What has become of it; null where it is what the passport is now. */
  readonly superseded: Superseded | null
}

/** What whoever reads an earlier version must know. */
export interface Superseded {
  /** As the history counts. */
  readonly number: number
  readonly at: string
  /** Where this version is. */
  readonly url: string
  /** Where the passport is as it is now, and its status there. */
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
  /** The address is present for the owner only (specification 2.4). */
  readonly streetAddress?: string | null
  readonly city?: string | null
  readonly postalCode?: string | null
}
