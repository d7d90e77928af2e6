import { type Credential, defined, statusListUrl } from '../../../src/plugin/index.ts'
import { identifierScheme, type UntpInput } from './input.ts'

/** UNTP Digital Product Passport 0.6.1, still accepted by public verifiers. */
export function untp061(input: UntpInput): Credential {
  const { view, subject, issuer, facility, name, category, statusPlace, materials, characteristics } = input
  const { serialNumber, productionDate } = subject
  const list = statusListUrl(issuer.url, statusPlace.list)
  const isMade = view.operator.role === 'MANUFACTURER'
  return {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://test.uncefact.org/vocabulary/untp/dpp/0.6.1/',
      // The 0.6.1 context lacks `characteristics`; undefined terms are not signed by suites that sign RDF.
      `${view.baseUrl}/context/v1`,
    ],
    type: ['DigitalProductPassport', 'VerifiableCredential'],
    id: subject.credentialId,
    issuer: { type: ['CredentialIssuer'], id: issuer.did, name: issuer.name },
    validFrom: subject.updatedAt,
    ...(view.retentionUntil === null ? {} : { validUntil: view.retentionUntil }),
    credentialSchema: {
      id: 'https://test.uncefact.org/vocabulary/untp/dpp/untp-dpp-schema-0.6.1.json',
      type: 'JsonSchema',
    },
    credentialStatus: {
      id: `${list}#${statusPlace.index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      // W3C Bitstring Status List 1.0, section 2.1: a string.
      statusListIndex: String(statusPlace.index),
      statusListCredential: list,
    },
    credentialSubject: {
      type: ['ProductPassport'],
      id: subject.url,
      granularityLevel: subject.granularity,
      product: {
        type: ['Product'],
        id: subject.digitalLinkUri,
        name,
        // Format of the schema example: 09520123456788.21.12345.
        registeredId: serialNumber === undefined ? view.productId : `${view.productId}.21.${serialNumber}`,
        idScheme: { type: ['IdentifierScheme'], ...identifierScheme(view, issuer) },
        productCategory: [
          {
            type: ['Classification'],
            id: `${view.baseUrl}/ns/dpp#${encodeURIComponent(category)}`,
            code: category,
            name: category,
            schemeID: `${view.baseUrl}/ns/dpp#category`,
            schemeName: 'Product categories of Digital Product Passports',
          },
        ],
        ...(isMade
          ? {
              producedByParty: {
                id: `urn:uuid:${view.operator.id}`,
                name: view.operator.name,
                registeredId: view.operator.regId,
              },
            }
          : {}),
        producedAtFacility: {
          id: `https://id.gs1.org/414/${facility.gln}`,
          name: facility.name,
          registeredId: facility.gln,
        },
        countryOfProduction: facility.country,
        ...(serialNumber === undefined ? {} : { serialNumber }),
        ...(productionDate === undefined ? {} : { productionDate }),
        characteristics: { type: ['Characteristics'], ...characteristics },
      },
      ...(materials.length === 0
        ? {}
        : { materialsProvenance: materials.map((material) => ({ type: ['Material'], ...defined(material) })) }),
    },
  }
}
