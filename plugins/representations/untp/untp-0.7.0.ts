import { type Credential, defined, dictionary, isGroup, statusListUrl, textIn } from '../../../src/plugin/index.ts'
import { identifierScheme, type UntpInput } from './input.ts'

/** UNTP Digital Product Passport 0.7.0. Only definitions with an open `type` may have one. */
export function untp070(input: UntpInput): Credential {
  const { view, subject, issuer, facility, name, category, statusPlace, materials, characteristics } = input
  const scheme = identifierScheme(view, issuer)
  const list = statusListUrl(issuer.url, statusPlace.list)
  const provenance = materials.flatMap(({ name: material, originCountry, massFraction, recycledMassFraction }) =>
    // All four members are mandatory; incomplete materials stay in the characteristics.
    originCountry === undefined || massFraction === undefined
      ? []
      : {
          name: material,
          originCountry: { countryCode: originCountry },
          materialType: {
            code: material,
            name: material,
            schemeId: `${view.baseUrl}/ns/dpp#material`,
            schemeName: 'Materials as the issuer names them',
          },
          massFraction,
          ...(recycledMassFraction === undefined ? {} : { recycledMassFraction }),
        },
  )
  const claims = claimsOf(input)
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://vocabulary.uncefact.org/untp/0.7.0/context/'],
    type: ['DigitalProductPassport', 'VerifiableCredential'],
    id: subject.credentialId,
    issuer: { type: ['CredentialIssuer'], id: issuer.did, name: issuer.name },
    validFrom: subject.updatedAt,
    ...(view.retentionUntil === null ? {} : { validUntil: view.retentionUntil }),
    name: subject.title,
    credentialSchema: {
      id: 'https://untp.unece.org/artefacts/schema/v0.7.0/dpp/DigitalProductPassport.json',
      type: 'JsonSchema',
    },
    credentialStatus: {
      id: `${list}#${statusPlace.index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      // A number in the UNTP 0.7.0 schema; the W3C text has a string.
      statusListIndex: statusPlace.index,
      statusListCredential: list,
    },
    credentialSubject: {
      type: ['Product'],
      id: subject.digitalLinkUri,
      name,
      idScheme: { type: ['IdentifierScheme'], ...scheme },
      modelNumber: view.productId,
      ...(subject.serialNumber === undefined ? {} : { itemNumber: subject.serialNumber }),
      idGranularity: subject.granularity,
      productCategory: [
        {
          code: category,
          name: category,
          schemeId: `${view.baseUrl}/ns/dpp#category`,
          schemeName: 'Product categories of Digital Product Passports',
        },
      ],
      relatedParty: [
        {
          role: roleOf(view.operator.role),
          party: {
            type: ['Party'],
            id: `urn:uuid:${view.operator.id}`,
            name: view.operator.name,
            registeredId: view.operator.regId,
          },
        },
        ...furtherParties(view),
      ],
      producedAtFacility: {
        type: ['Facility'],
        id: `https://id.gs1.org/414/${facility.gln}`,
        name: facility.name,
        registeredId: facility.gln,
      },
      countryOfProduction: { countryCode: facility.country },
      ...(subject.productionDate === undefined ? {} : { productionDate: subject.productionDate }),
      ...(provenance.length === 0 ? {} : { materialProvenance: provenance }),
      ...(claims.length === 0 ? {} : { performanceClaim: claims }),
      characteristics,
    },
  }
}

const ROLES = dictionary<string>({
  MANUFACTURER: 'manufacturer',
  IMPORTER: 'importer',
  DISTRIBUTOR: 'distributor',
})
const roleOf = (role: string) => ROLES[role] ?? 'operator'

/** UNTP names of the roles in `parties`; other roles stay in the characteristics. */
const ROLES_OF_PARTIES = dictionary<string>({
  manufacturer: 'manufacturer',
  importer: 'importer',
  distributor: 'distributor',
  fulfilmentServiceProvider: 'serviceProvider',
  backupProvider: 'serviceProvider',
})

function furtherParties({ metadata, baseUrl, digitalLinkUri }: UntpInput['view']): object[] {
  if (!Array.isArray(metadata.parties)) return []
  return metadata.parties.flatMap((party, index) => {
    if (!isGroup(party)) return []
    const role = ROLES_OF_PARTIES[textIn(party, 'role') ?? '']
    const name = textIn(party, 'name')
    if (role === undefined || name === undefined) return []
    const { identifier } = party
    const scheme = isGroup(identifier) ? textIn(identifier, 'scheme') : undefined
    const value = isGroup(identifier) ? textIn(identifier, 'value') : undefined
    return {
      role,
      party: defined({
        type: ['Party'],
        id: `${digitalLinkUri}#party-${index}`,
        name,
        registeredId: value,
        idScheme: scheme && {
          type: ['IdentifierScheme'],
          id: `${baseUrl}/ns/dpp#${encodeURIComponent(scheme)}`,
          name: scheme,
        },
      }),
    }
  })
}

function claimsOf({ view, claims }: UntpInput): object[] {
  return claims.map(({ key, member, name, value, claim: { topic, unit } }) => {
    const term = { id: `${view.baseUrl}/ns/dpp#${key}`, name }
    return {
      type: ['Claim'],
      id: `${view.digitalLinkUri}#claim-${member === undefined ? key : `${key}-${member}`}`,
      name,
      referenceCriteria: [{ type: ['Criterion'], ...term }],
      claimDate: view.updatedAt.slice(0, 10),
      claimedPerformance: [{ metric: { type: ['PerformanceMetric'], ...term }, measure: { value, unit } }],
      conformityTopic: [
        {
          type: ['ConformityTopic'],
          id: `https://vocabulary.uncefact.org/conformity-topic/${topic}`,
          name: titleOf(topic),
        },
      ],
    }
  })
}

const titleOf = (topic: string) =>
  topic
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
