import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { type Check, Fault, joined, needed, orUndefined, Skipped, shown, unless } from '../check.ts'
import { compressed } from '../en18222.ts'
import { formOf, maybeForm } from '../formats.ts'
import type { Probe } from '../probe.ts'
import { decodeToken } from '../rules/credential.ts'
import { type PartName, partOf, unsupportedIn, verified, wrongIn } from '../verification.ts'

const RULE = 'Seal rule, docs/reference/seal-rule.md; EN 18246, 4.7'

/** The sealed passport. @throws Skipped without a Merkle seal */
async function sealed(probe: Probe): Promise<{ text: string; proof: JsonRecord; document: JsonRecord }> {
  const reply = await formOf(probe, 'jsonLd')
  const document = reply.record()
  const { proof } = document
  const isSeal = isRecord(proof) && proof.merkleRoot !== undefined
  return { text: reply.text, document, proof: needed(isSeal ? proof : undefined, 'the passport has no Merkle seal') }
}

const part = (name: PartName, title: string): Check => ({
  id: `seals.${name}`,
  clause: RULE,
  title,
  run: async (probe) => partOf(probe, (await sealed(probe)).text, name),
})

export const SEAL_CHECKS: readonly Check[] = [
  {
    id: 'seals.verifiable',
    clause: 'EN 18221, 4.1; EN 18246, 4.7',
    title: 'The integrity of the passport is verifiable',
    async run(probe) {
      const forms = [
        await maybeForm(probe, 'vcJwt'),
        await maybeForm(probe, 'dataIntegrity'),
        await maybeForm(probe, 'sdJwt'),
        await orUndefined(sealed(probe)),
      ].filter((form) => form !== undefined)
      const texts = forms.map(({ text }) => text).filter((text) => unsupportedIn(text) === undefined)
      needed(texts[0], 'the passport has no proof of a supported format')
      const faults: string[] = []
      for (const text of texts) {
        const verification = await verified(probe, text)
        const wrong = wrongIn(verification)
        if (wrong !== undefined) faults.push(`${verification.form}: ${wrong.detail}`)
      }
      return joined(faults)
    },
  },
  {
    id: 'seals.operator',
    clause: 'EN 18246, 4.8.3; EN 18219, 6.4.1',
    title: 'The proof is of the economic operator',
    should: true,
    async run(probe) {
      const { economicOperatorId: operator } = await compressed(probe)
      needed(String(operator).startsWith('did:') || undefined, 'economicOperatorId is not a DID')
      const token = decodeToken((await formOf(probe, 'vcJwt')).text)
      const { issuer } = token?.payload ?? {}
      const id = isRecord(issuer) ? issuer.id : issuer
      return unless(id === operator, `The issuer is ${shown(id)}, the operator ${shown(operator)}.`)
    },
  },
  {
    id: 'seals.root',
    clause: RULE,
    title: 'The root of the seal is a SHA-256 digest',
    async run(probe) {
      const { merkleRoot } = (await sealed(probe)).proof
      return unless(/^[0-9a-f]{64}$/.test(String(merkleRoot)), `merkleRoot is ${shown(merkleRoot)}.`)
    },
  },
  {
    id: 'seals.created',
    clause: RULE,
    title: 'The seal was created in the past',
    async run(probe) {
      const { created } = (await sealed(probe)).proof
      const time = Date.parse(String(created))
      return unless(time <= Date.now() + 60_000, `created is ${shown(created)}.`)
    },
  },
  {
    id: 'seals.masked-leaves',
    clause: RULE,
    title: 'A seal with masked values is verifiable without them',
    async run(probe) {
      const { document, proof } = await sealed(probe)
      const { redactedLeaves } = proof
      if (redactedLeaves === undefined) throw new Skipped('the seal covers no masked values')
      if (!isRecord(redactedLeaves)) throw new Fault(`redactedLeaves is ${shown(redactedLeaves)}.`)
      const { metadata } = document
      const missing = Object.keys(redactedLeaves).filter((key) => !isRecord(metadata) || !Object.hasOwn(metadata, key))
      return joined(missing.map((key) => `${key} has a leaf, but no place in the passport`))
    },
  },
  part('content', 'The content is what was sealed'),
  part('signature', 'The signature of the seal is valid'),
  part('certificate', 'The certificate of the seal was valid'),
  part('timestamp', 'The timestamp of the seal is valid'),
]
