import { isRecord } from '../../../../src/plugin/index.ts'
import { type Check, firstOf, joined, needed, Skipped, shown, unless } from '../check.ts'
import { compressed, dppIdOf, productIdOf } from '../en18222.ts'
import { passportUrlOf } from '../formats.ts'
import type { Probe } from '../probe.ts'
import { statusOf } from '../reply.ts'
import { faultsOfLink, readGs1Link } from '../rules/gs1-link.ts'
import { didWebUrl, partyFaults, partyScheme, productScheme } from '../rules/identifiers.ts'

const MAX_IDENTIFIER_CHARACTERS = 2000

/** An attribute of the passport that identifies a party. @throws Skipped if absent */
async function party(probe: Probe, name: string): Promise<string> {
  const { [name]: id } = await compressed(probe)
  return needed(typeof id === 'string' ? id : undefined, `the passport has no ${name}`)
}

/** Fields of the passport that the plain address returns. */
const identified = async (probe: Probe) => {
  const reply = await probe.follow(passportUrlOf(probe), { accept: 'application/json' })
  if (reply.status !== 200) throw new Skipped(`the address of the passport responds with ${reply.status}`)
  return reply.record()
}

const partyChecks = (name: 'economicOperatorId' | 'facilityId', subject: string): readonly Check[] => [
  {
    id: `en18219.${name}-scheme`,
    clause: 'EN 18219, 6.1',
    title: `The identifier of the ${subject} follows a scheme`,
    async run(probe) {
      const id = await party(probe, name)
      return unless(
        partyScheme(id) !== undefined,
        `${shown(id)} is not a DID, GLN, DOI, link or ISO/IEC 6523 identifier.`,
      )
    },
  },
  {
    id: `en18219.${name}-check-digit`,
    clause: 'EN 18219, 6.2 and 6.3',
    title: `The identifier of the ${subject} has the right check digits`,
    run: async (probe) => joined(partyFaults(await party(probe, name))),
  },
  {
    id: `en18219.${name}-did`,
    clause: 'EN 18219, 6.4.2',
    title: `The DID of the ${subject} resolves to its document`,
    async run(probe) {
      const did = await party(probe, name)
      needed(did.startsWith('did:') || undefined, `${name} is not a DID`)
      const url = needed(didWebUrl(did), 'only did:web is resolved')
      const reply = await probe.follow(url, { accept: 'application/did+ld+json, application/json' })
      const fault = statusOf(reply, 200)
      if (fault !== undefined) return fault
      const { id, verificationMethod } = reply.record()
      return firstOf(
        unless(id === did, `The document has the id ${shown(id)}.`),
        unless(Array.isArray(verificationMethod) && verificationMethod.every(isRecord), 'It has no keys.'),
      )
    },
  },
]

export const EN18219_CHECKS: readonly Check[] = [
  {
    id: 'en18219.address',
    clause: 'EN 18219, 4.3.2',
    title: 'The product identifier is an address, or leads to one',
    run: async (probe) => {
      const id = productIdOf(probe)
      return unless(productScheme(id) !== undefined, `${shown(id)} is not a URL, DID, DOI or EPC.`)
    },
  },
  {
    id: 'en18219.resolves',
    clause: 'EN 18219, 4.5.2; EN 18220, 5.2.1',
    title: 'The product identifier leads to exactly its passport',
    async run(probe) {
      const id = productIdOf(probe)
      needed(/^https?:/.test(id) || undefined, 'the product identifier is not a web address')
      const reply = await probe.follow(id, { accept: 'application/json' })
      const fault = statusOf(reply, 200)
      if (fault !== undefined) return fault
      const { uniqueProductIdentifier, digitalLinkUri } = reply.record()
      const found = uniqueProductIdentifier ?? digitalLinkUri
      return unless(found === id, `The passport has the identifier ${shown(found)}.`)
    },
  },
  {
    id: 'en18219.attribute',
    clause: 'EN 18219, 4.5.2; EN 18223, Table 1',
    title: 'The passport names its product as uniqueProductIdentifier',
    async run(probe) {
      const { uniqueProductIdentifier: id } = await identified(probe)
      return unless(typeof id === 'string' && id !== '', `uniqueProductIdentifier is ${shown(id)}.`)
    },
    should: true,
  },
  {
    id: 'en18219.without-credentials',
    clause: 'EN 18219, 4.6.2',
    title: 'The passport is readable without registration or credentials',
    async run(probe) {
      const reply = await probe.follow(passportUrlOf(probe))
      return unless(![401, 403, 407].includes(reply.status), `Status ${reply.status}.`)
    },
  },
  {
    id: 'en18219.gs1-syntax',
    clause: 'EN 18219, 5.2; GS1 Digital Link: URI Syntax 1.7, 4.9',
    title: 'A GS1 Digital Link has valid keys, qualifiers and check digits',
    async run(probe) {
      const link = needed(readGs1Link(productIdOf(probe)), 'the product identifier is not a GS1 Digital Link')
      return joined(faultsOfLink(link))
    },
  },
  {
    id: 'en18219.characters',
    clause: 'RFC 3986, 2; EN 18220, 5.2',
    title: 'Identifiers have no spaces or control characters',
    async run(probe) {
      const ids = [productIdOf(probe), probe.target.dppId ?? '']
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finds them
      return joined(ids.filter((id) => /[\s\x00-\x1f\x7f]/.test(id)).map((id) => `${shown(id)} is not printable`))
    },
  },
  {
    id: 'en18219.length',
    clause: 'EN 18220, 5.2',
    title: 'The product identifier fits a data carrier',
    run: async (probe) =>
      unless(productIdOf(probe).length <= MAX_IDENTIFIER_CHARACTERS, `It has ${productIdOf(probe).length} characters.`),
  },
  {
    id: 'en18219.https',
    clause: 'EN 18219, 4.3.2; EN 18216, 4',
    title: 'The product identifier is an HTTPS address',
    async run(probe) {
      const id = productIdOf(probe)
      needed(/^http/.test(id) || undefined, 'the product identifier is not a web address')
      needed(productScheme(id) ?? (id.startsWith('http:') || undefined), 'the scheme is unknown')
      const isLocal = /^http:\/\/(?:localhost|127\.0\.0\.1)[:/]/.test(id)
      if (isLocal) throw new Skipped('the service is on this machine')
      return unless(id.startsWith('https:'), `It is ${shown(id)}.`)
    },
  },
  {
    id: 'en18219.two-identifiers',
    clause: 'EN 18219, 4.4; EN 18223, Table 1',
    title: 'Passport and product have identifiers that lead to the same passport',
    async run(probe) {
      const id = dppIdOf(probe)
      needed(/^https?:/.test(id) || undefined, 'the identifier of the passport is not a web address')
      return statusOf(await probe.follow(id), 200)
    },
    should: true,
  },
  ...partyChecks('economicOperatorId', 'economic operator'),
  ...partyChecks('facilityId', 'facility'),
]
