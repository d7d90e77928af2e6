import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { encodeSegment } from '../../../../src/plugin/module.ts'
import { type Check, Fault, firstOf, needed, Skipped, shown, unless } from '../check.ts'
import { anElement, apiOf, byId, contentKeys, elementAt, normalizedPath, offered } from '../en18222.ts'
import type { Probe } from '../probe.ts'
import { type Reply, statusOf } from '../reply.ts'

const REJECTED = [400, 401, 403, 404, 405, 501]
const WITHOUT_PERMISSION = 'EN 18222, 4.6 to 4.8 and Table 15; EN 18221, 4.1'
const JSON_BODY = { 'content-type': 'application/json' }
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' }

const anonymous = (name: string, title: string, write: (probe: Probe) => Promise<Reply>): Check => ({
  id: `en18222-writes.${name}`,
  clause: WITHOUT_PERMISSION,
  title,
  writes: true,
  run: async (probe) => statusOf(await write(probe), ...REJECTED),
})

/** The created passport by run: checks of a run share it. */
const created = new WeakMap<object, Promise<Reply>>()

function create(probe: Probe): Promise<Reply> {
  const body = needed(probe.target.newDocument, 'a document for CreateDPP is required: add --create FILE')
  const known = created.get(probe.session)
  if (known !== undefined) return known
  const reply = probe.post(`${apiOf(probe)}/dpps`, body, probe.asKey)
  created.set(probe.session, reply)
  return reply
}

async function createdId(probe: Probe): Promise<string> {
  const reply = offered(await create(probe), 'CreateDPP')
  if (reply.status !== 201) throw new Skipped(`CreateDPP responds with ${reply.status}, which another check reports`)
  const body = reply.json()
  const id = typeof body === 'string' ? body : reply.record().digitalProductPassportId
  if (typeof id !== 'string') throw new Fault(`The response has no digitalProductPassportId: ${shown(body)}`)
  return id
}

const createdUrl = async (probe: Probe) => `${apiOf(probe)}/dpps/${encodeSegment(await createdId(probe))}`

async function createdDocument(probe: Probe) {
  const reply = await probe.getAgain(await createdUrl(probe), probe.asKey)
  needed(reply.status === 200 || undefined, 'the created passport cannot be read')
  return reply.record()
}

const withKey = (name: string, clause: string, title: string, run: Check['run']): Check => ({
  id: `en18222-writes.${name}`,
  clause,
  title,
  writes: true,
  run,
})

/** Writes without permission, and with `--key` on a passport made from `--create`. */
export const WRITE_CHECKS: readonly Check[] = [
  anonymous('create-anonymously', 'CreateDPP without credentials is rejected', (probe) =>
    probe.post(`${apiOf(probe)}/dpps`, {}),
  ),
  anonymous('update-anonymously', 'UpdateDPPById without credentials is rejected', (probe) =>
    probe.send('PATCH', byId(probe), JSON_BODY, '{}'),
  ),
  anonymous('update-with-wrong-key', 'UpdateDPPById with an unknown key is rejected', (probe) =>
    probe.send('PATCH', byId(probe), { ...JSON_BODY, authorization: `Bearer ${randomUUID()}` }, '{}'),
  ),
  anonymous('update-element-anonymously', 'UpdateDataElement without credentials is rejected', async (probe) => {
    const { path, value } = await anElement(probe)
    return probe.send('PATCH', elementAt(probe, path), JSON_BODY, JSON.stringify(value))
  }),
  anonymous('delete-anonymously', 'DeleteDPPById without credentials is rejected', (probe) =>
    probe.send('DELETE', `${apiOf(probe)}/dpps/${encodeSegment(`https://unknown.example/${randomUUID()}`)}`),
  ),
  anonymous('register-anonymously', 'RegisterProductDPP without credentials is rejected', (probe) =>
    probe.post(`${apiOf(probe)}/registerDPP`, {}),
  ),
  anonymous('replace-element', 'PUT of an element is rejected', async (probe) =>
    probe.send('PUT', elementAt(probe, (await anElement(probe)).path), JSON_BODY, '{}'),
  ),
  {
    id: 'en18222-writes.unchanged',
    clause: WITHOUT_PERMISSION,
    title: 'Rejected writes change nothing',
    writes: true,
    async run(probe) {
      const before = await probe.get(byId(probe))
      await probe.send('PATCH', byId(probe), JSON_BODY, JSON.stringify({ dppStatus: 'invalid' }))
      const after = await probe.getAgain(byId(probe))
      return unless(before.body.equals(after.body), 'The passport has changed.')
    },
  },
  withKey('create', 'EN 18222, 4.6, Table 5', 'CreateDPP creates a passport', async (probe) =>
    statusOf(offered(await create(probe), 'CreateDPP'), 201),
  ),
  withKey('create-identifier', 'EN 18222, 4.6', 'CreateDPP returns the identifier', async (probe) => {
    await createdId(probe)
    return undefined
  }),
  withKey('create-location', 'RFC 9110, 10.2.2', 'CreateDPP returns the address', async (probe) => {
    await createdId(probe)
    return unless((await create(probe)).header('location') !== '', 'Location is missing.')
  }),
  withKey('create-readable', 'EN 18222, 4.2', 'A created passport can be read', async (probe) =>
    statusOf(await probe.getAgain(await createdUrl(probe), probe.asKey), 200),
  ),
  withKey(
    'create-not-json',
    'EN 18222, 4.6 and Table 15',
    'A body that is not JSON is a bad request',
    async (probe) => {
      const reply = await probe.post(`${apiOf(probe)}/dpps`, '{not json', probe.asKey)
      return statusOf(offered(reply, 'CreateDPP'), 400)
    },
  ),
  withKey('create-empty', 'EN 18222, 4.6 and Table 15', 'A document without data is a bad request', async (probe) => {
    const reply = await probe.post(`${apiOf(probe)}/dpps`, {}, probe.asKey)
    return statusOf(offered(reply, 'CreateDPP'), 400)
  }),
  withKey('update', 'EN 18222, 4.7; RFC 7396', 'UpdateDPPById merges a value', async (probe) => {
    const document = await createdDocument(probe)
    const key = needed(contentKeys(document)[0], 'the created passport has no data elements')
    const patch = JSON.stringify({ [key]: document[key] })
    const reply = await probe.send('PATCH', await createdUrl(probe), { ...MERGE_PATCH, ...probe.asKey }, patch)
    const fault = statusOf(offered(reply, 'UpdateDPPById'), 200, 202, 204)
    const after = await createdDocument(probe)
    return fault ?? unless(isDeepStrictEqual(contentKeys(after), contentKeys(document)), 'Other elements have changed.')
  }),
  withKey('update-element', 'EN 18222, 6.3, Table 10', 'UpdateDataElement sets a value', async (probe) => {
    const document = await createdDocument(probe)
    const key = needed(contentKeys(document)[0], 'the created passport has no data elements')
    const url = `${await createdUrl(probe)}/elements/${encodeSegment(normalizedPath(key))}`
    const reply = await probe.send('PATCH', url, { ...JSON_BODY, ...probe.asKey }, JSON.stringify(document[key]))
    return statusOf(offered(reply, 'UpdateDataElement'), 200, 202, 204)
  }),
  withKey('derived', 'EN 18222, 4.7', 'The identifier of a passport cannot be changed', async (probe) => {
    const [id, url] = [await createdId(probe), await createdUrl(probe)]
    const patch = JSON.stringify({ digitalProductPassportId: 'https://other.example/1' })
    offered(await probe.send('PATCH', url, { ...MERGE_PATCH, ...probe.asKey }, patch), 'UpdateDPPById')
    const after = await createdDocument(probe)
    return unless(after.digitalProductPassportId === id, `It is ${shown(after.digitalProductPassportId)}.`)
  }),
  withKey('delete', 'EN 18222, 4.8, Table 7', 'DeleteDPPById deletes a passport, or says why not', async (probe) => {
    const reply = await probe.send('DELETE', await createdUrl(probe), probe.asKey)
    return firstOf(statusOf(offered(reply, 'DeleteDPPById'), 200, 204, 409, 403))
  }),
]
