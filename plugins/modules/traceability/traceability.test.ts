import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signDataIntegrity } from '../../../src/credentials/data-integrity.ts'
import { createWorkspace, newGln, newGtin, type TestWorkspace, textile } from '../../../test/support/gateway.ts'
import { standard } from '../../../test/support/reference-tools.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'
const { gateway, workspace, passports } = await useGateway()

type Json = Record<string, unknown>

let minute = 0
const at = () => new Date(Date.UTC(2026, 0, 1) + 60_000 * ++minute).toISOString()
const event = (type: string, members: Json): Json => ({
  '@context': [CONTEXT],
  type,
  eventTime: at(),
  eventTimeZoneOffset: '+00:00',
  ...members,
})
const commissioned = (item: string, members: Json = {}) =>
  event('ObjectEvent', { action: 'ADD', bizStep: 'commissioning', epcList: [item], ...members })
const transformed = (inputs: string[], outputs: string[], members: Json = {}) =>
  event('TransformationEvent', { inputEPCList: inputs, outputEPCList: outputs, ...members })
const observed = (item: string, bizStep: string, members: Json = {}) =>
  event('ObjectEvent', { action: 'OBSERVE', bizStep, epcList: [item], ...members })
const documentOf = (eventList: Json[]) => ({
  '@context': [CONTEXT],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-02-01T00:00:00Z',
  epcisBody: { eventList: eventList.map(({ '@context': _context, ...bare }) => bare) },
})
let serial = 0
const item = (name = 'item') => `https://example.com/items/${name}-${++serial}`

async function capture(body: Json, as: TestWorkspace['as'] = workspace.as) {
  return gateway.request('POST', '/api/v1/events', { headers: as, json: body })
}
async function stored(body: Json, as?: TestWorkspace['as']): Promise<string[]> {
  const { status, body: answer, text } = await capture(body, as)
  expect([status, text]).toEqual([201, text])
  return answer.eventIds
}
const lineage = async (id: string, as: TestWorkspace['as'] = workspace.as, accept = 'application/json') =>
  gateway.request('GET', `/api/v1/events/${id}/lineage`, { headers: { ...as, accept } })

function edgesOf(node: Json, names: ReadonlyMap<string, string>, edges: string[] = []): string[] {
  for (const parent of node.parents as Json[]) {
    edges.push(`${names.get(node.eventId as string)}<${names.get(parent.eventId as string)}`)
    edgesOf(parent, names, edges)
  }
  return edges
}

describe('capture', () => {
  test('an event is stored, read as it came, and once however often it is sent', async () => {
    const sent = commissioned(item(), { eventID: 'urn:uuid:0b5ad8b0-6a2b-4ac3-9d39-1a2c5d9d6a11', 'ex:note': 'kept' })
    const { status, body } = await capture(sent)
    expect([status, body]).toEqual([
      201,
      { status: 'success', eventId: body.eventId, untpVerified: false, eventIds: [body.eventId] },
    ])
    expect((await capture(sent)).body).toEqual(body)
    const read = await gateway.request('GET', `/api/v1/events/${body.eventId}`, { headers: workspace.as })
    expect(read.body).toEqual(sent)
    const [row] = await gateway.sqlAs<{ count: number }>(
      workspace.id,
      `select count(*)::int as count from trace_event where id = '${body.eventId}'`,
    )
    expect(row?.count).toBe(1)
  })

  test('malformed JSON is refused with line and column', async () => {
    const raw = '{\n  "productId": "1",\n  "metadata": {,}\n}'
    const { status, body } = await gateway.request('POST', '/api/v1/events', { headers: workspace.as, raw })
    expect([status, body.message]).toEqual([400, expect.stringContaining('at line 3, column 16,')])
  })

  test('a document is stored as one or not at all, and every wrong place is named', async () => {
    const good = commissioned(item())
    const before = await count()
    const { status, body } = await capture(
      documentOf([
        good,
        { ...commissioned(item()), action: 'MAKE' },
        { ...commissioned(item()), eventTimeZoneOffset: '2' },
      ]),
    )
    expect([status, body.error, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      'Validation Failed',
      ['/epcisBody/eventList/1/action', '/epcisBody/eventList/2/eventTimeZoneOffset'],
    ])
    expect(await count()).toBe(before)
    const ids = await stored(documentOf([good, commissioned(item()), commissioned(item())]))
    expect(new Set(ids).size).toBe(3)
    expect(await count()).toBe(before + 3)
  })

  test('a key of one operator is refused', async () => {
    const { workspaces } = gateway.container.cradle
    const { body: made } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'One', regId: 'HRB 77' },
    })
    const { key } = await workspaces.createKey({
      workspaceId: workspace.id,
      role: 'TENANT_ADMIN',
      operatorId: made.operator.id,
    })
    const { status, body } = await capture(commissioned(item()), { authorization: `Bearer ${key}` } as never)
    expect([status, body.code]).toEqual([403, 'OPERATOR_SCOPE_FORBIDDEN'])
  })

  test('the application cannot change or delete stored events', async () => {
    const [id] = await stored(commissioned(item()))
    const { database } = gateway.container.cradle
    for (const table of ['trace_event', 'trace_item']) {
      for (const text of [`delete from ${table}`, `update ${table} set tenant_id = tenant_id`]) {
        const write = database.forTenant(workspace.id).run({ name: text.replaceAll(' ', '-'), text }, [])
        await expect(write).rejects.toThrow(/permission denied/)
      }
    }
    await expect(gateway.sql(`update trace_event set biz_step = 'x' where id = '${id}'`)).rejects.toThrow(
      /cannot be changed/,
    )
  })

  describe('of a credential', () => {
    const credentialOf = (subject: Json, issuer: string) => ({
      '@context': ['https://www.w3.org/ns/credentials/v2', 'https://test.uncefact.org/vocabulary/untp/dte/0.6.0/'],
      type: ['VerifiableCredential', 'DigitalTraceabilityEvent'],
      id: `urn:uuid:${randomUUID()}`,
      issuer,
      validFrom: '2026-01-01T00:00:00Z',
      credentialSubject: [subject],
    })
    const subject = () => ({
      type: ['ObjectEvent', 'Event'],
      id: `urn:uuid:${randomUUID()}`,
      eventTime: at(),
      action: 'add',
      epcList: [{ id: item('credential'), name: 'Bale' }],
    })

    test('that a workspace of this gateway has signed is verified, and its events say so', async () => {
      const signer = await gateway.container.cradle.issuers.current(workspace.id)
      if (signer === undefined) throw new Error('The workspace has no key.')
      const signed = (await signDataIntegrity(credentialOf(subject(), signer.did) as never, signer)) as Json
      const { status, body } = await capture(signed)
      expect([status, body.untpVerified]).toEqual([201, true])
      const seen = (await lineage(body.eventId)).body.lineage
      expect([seen.isUntpCompliant, seen.issuerDid, seen.eventType]).toEqual([true, signer.did, 'ObjectEvent'])
      const before = await count()
      const [event] = signed.credentialSubject as Json[]
      for (const forged of [
        { ...signed, credentialSubject: [{ ...event, eventTime: at() }] },
        { ...signed, issuer: 'did:web:elsewhere.example' },
        { ...signed, proof: { ...(signed.proof as Json), proofValue: 'z3abc' } },
      ]) {
        const answer = await capture(forged)
        expect([answer.status, answer.body.error]).toEqual([400, 'Cryptographic Verification Failed'])
      }
      expect(await count()).toBe(before)
    })

    test('an event with an unverifiable key is rejected, and nothing is fetched for it', async () => {
      const signer = await gateway.container.cradle.issuers.current(workspace.id)
      if (signer === undefined) throw new Error('The workspace has no key.')
      const did = 'did:web:issuer.example'
      const stranger = { ...signer, did, verificationMethod: `${did}#key-1` }
      const { status, body } = await capture(
        (await signDataIntegrity(credentialOf(subject(), did) as never, stranger)) as Json,
      )
      expect([status, body.error]).toEqual([400, 'Cryptographic Verification Failed'])
      expect(body.message).toContain('not a workspace of this gateway')
    })

    test('without a proof is stored, and is not verified', async () => {
      const { status, body } = await capture(credentialOf(subject(), 'did:web:issuer.example'))
      expect([status, body.untpVerified]).toEqual([201, false])
      expect((await lineage(body.eventId)).body.lineage).toMatchObject({ isUntpCompliant: false, issuerDid: null })
    })
  })

  const folder = standard('epcis/samples')
  test.skipIf(folder === undefined)('all official samples are accepted', async () => {
    const files = filesIn(folder as string)
    expect(files.length).toBe(47)
    const refused: unknown[] = []
    for (const file of files) {
      const { status, body } = await capture(JSON.parse(readFileSync(file, 'utf8')))
      if (status !== 201) refused.push([file, body])
    }
    expect(refused).toEqual([])
  })
})

function mend(document: Json, path: string, message: string): void {
  const keys = path.split('/').slice(1)
  const last = keys.pop() as string
  const at = keys.reduce<Json>((value, key) => value[key] as Json, document)
  const short = / short form of the \w+: ([\w-]+)\.$/.exec(message)?.[1]
  if (short !== undefined) at[last] = short
  else if (message.startsWith('NUMBER')) at[last] = Number(at[last])
  else delete at[last]
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /json(ld)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

async function count(): Promise<number> {
  const [row] = await gateway.sqlAs<{ count: number }>(workspace.id, 'select count(*)::int as count from trace_event')
  return row?.count ?? 0
}

describe('lineage', () => {
  test('of a garment is right edge by edge, and a shared ancestor is expanded once', async () => {
    const [fibre, yarn, cloth, button, shirt, pallet] = ['fibre', 'yarn', 'cloth', 'button', 'shirt', 'pallet'].map(
      item,
    ) as [string, string, string, string, string, string]
    const lining = item('lining')
    const events = {
      farm: commissioned(fibre),
      spin: transformed([fibre], [yarn]),
      weave: transformed([yarn], [cloth]),
      line: transformed([yarn], [lining]),
      turn: commissioned(button),
      sew: transformed([cloth, lining, button], [shirt]),
      pack: event('AggregationEvent', { action: 'ADD', bizStep: 'packing', parentID: pallet, childEPCs: [shirt] }),
      ship: observed(pallet, 'shipping'),
      receive: observed(pallet, 'receiving'),
    }
    const ids = await stored(documentOf(Object.values(events)))
    const names = new Map(ids.map((id, index) => [id, Object.keys(events)[index] as string]))
    const { status, body } = await lineage(ids.at(-1) as string)
    expect([status, body.truncated]).toEqual([200, false])
    expect(edgesOf(body.lineage, names).sort()).toEqual(
      [
        'receive<ship',
        'ship<pack',
        'pack<sew',
        'sew<weave',
        'sew<line',
        'sew<turn',
        'weave<spin',
        'line<spin',
        'spin<farm',
      ].sort(),
    )
    expect(body.lineage).toMatchObject({
      eventType: 'ObjectEvent',
      bizStep: 'receiving',
      epcs: [pallet],
      isUntpCompliant: false,
      issuerDid: null,
      location: null,
      readPoint: null,
    })
    const document = (await lineage(ids.at(-1) as string, workspace.as, 'application/ld+json')).body
    expect(document.epcisBody.eventList.map(({ eventID }: { eventID: string }) => eventID)).toHaveLength(9)
    const official = standard('epcis/EPCIS-JSON-Schema.json')
    if (official !== undefined) {
      const ajv = addFormats.default(new Ajv.default({ strict: false, allErrors: true }))
      const validate = ajv.compile(JSON.parse(readFileSync(official, 'utf8')))
      expect([validate(document), validate.errors]).toEqual([true, null])
    }
  })

  const published = standard('epcis/samples-dpp-ready/eu')
  test.skipIf(published === undefined).each([
    ['textile/fjordline-aurora-lifecycle.jsonld', ['1<0', '2<1', '3<2', '5<3', '5<4']],
    ['battery/amperia-staxwall-lifecycle.jsonld', ['1<0', '4<1', '4<2', '5<4', '6<5', '7<6', '8<7']],
  ])('of the published chain %s is right edge by edge, after the suggested fixes', async (file, edges) => {
    const chain = JSON.parse(readFileSync(join(published as string, file), 'utf8'))
    for (let tries = 0; tries < 5; tries += 1) {
      const { status, body } = await capture(chain)
      if (status === 201) {
        const names = new Map<string, string>(body.eventIds.map((id: string, index: number) => [id, String(index)]))
        const { lineage: root } = (await lineage(body.eventIds.at(-1))).body
        expect(edgesOf(root, names).sort()).toEqual(edges)
        return
      }
      for (const { path, message } of body.errors) mend(chain, path, message)
    }
    expect.unreachable('It is never accepted.')
  })

  test('knows the same item by its EPC and by its Digital Link, and its class where nothing is known of the item', async () => {
    const gtin = newGtin()
    const urn = `urn:epc:id:sgtin:${gtin.slice(1, 8)}.${gtin[0]}${gtin.slice(8, 13)}.S1`
    const [made] = await stored(event('ObjectEvent', { action: 'ADD', epcList: [urn] }))
    const [seen] = await stored(observed(`https://example.com/01/${gtin}/21/S1`, 'inspecting'))
    expect(
      (await lineage(seen as string)).body.lineage.parents.map(({ eventId, via }: Json) => [eventId, via]),
    ).toEqual([[made, ['instance']]])
    const lot = newGtin()
    const [lotMade] = await stored(
      event('ObjectEvent', { action: 'ADD', quantityList: [{ epcClass: `https://id.gs1.org/01/${lot}` }] }),
    )
    const [itemSeen] = await stored(observed(`https://id.gs1.org/01/${lot}/10/L7/21/9`, 'inspecting'))
    expect(
      (await lineage(itemSeen as string)).body.lineage.parents.map(({ eventId, via }: Json) => [eventId, via]),
    ).toEqual([[lotMade, ['class']]])
  })

  test('identifies an item with or without the lot next to the serial, both ways', async () => {
    const parentsOf = async (id: string | undefined) =>
      (await lineage(id as string)).body.lineage.parents.map(({ eventId, via }: Json) => [eventId, via])
    const gtin = newGtin()
    const bare = (serial: string) => `https://id.gs1.org/01/${gtin}/21/${serial}`
    const withLot = (serial: string) => `https://id.gs1.org/01/${gtin}/10/L%2F7/21/${serial}`
    const epc = (serial: string) => `urn:epc:id:sgtin:${gtin.slice(1, 8)}.${gtin[0]}${gtin.slice(8, 13)}.${serial}`
    const spellings = [
      bare,
      withLot,
      epc,
      (serial: string) => `https://shop.example/gtin/${gtin}/lot/OTHER/ser/${serial}`,
    ]
    let number = 0
    for (const made of spellings) {
      for (const seen of spellings) {
        number += 1
        const serial = `S${number}`
        const [making] = await stored(commissioned(made(serial)))
        await stored(commissioned(withLot(`other-${number}`)))
        const [seeing] = await stored(observed(seen(serial), 'inspecting'))
        expect(await parentsOf(seeing)).toEqual([[making, ['instance']]])
        const [taking] = await stored(transformed([made(serial)], [item('assembly')]))
        expect(await parentsOf(taking)).toEqual([[seeing, ['instance']]])
        for (const toQuery of spellings) {
          const steps = (await query('MATCH_anyEPC', toQuery(serial))).map(({ bizStep, type }: Json) => bizStep ?? type)
          expect(steps).toEqual(['commissioning', 'inspecting', 'TransformationEvent'])
        }
      }
    }
    const sent = observed(bare('twice'), 'inspecting')
    const ids = [await stored(sent), await stored({ ...sent, epcList: [withLot('twice')] })]
    expect(ids[1]).toEqual(ids[0])
  })

  test('leads from an item to its lot by the event with both, not by the lot next to the serial', async () => {
    const gtin = newGtin()
    const lot = `https://id.gs1.org/01/${gtin}/10/L7`
    const [made] = await stored(event('ObjectEvent', { action: 'ADD', quantityList: [{ epcClass: lot, quantity: 5 }] }))
    const [seen] = await stored(observed(`${lot}/21/S1`, 'inspecting'))
    expect((await lineage(seen as string)).body.lineage.parents).toEqual([])
    const [split] = await stored(
      event('TransformationEvent', {
        inputQuantityList: [{ epcClass: lot, quantity: 5 }],
        outputEPCList: [`${lot}/21/S2`],
      }),
    )
    const [later] = await stored(observed(`https://id.gs1.org/01/${gtin}/21/S2`, 'inspecting'))
    const [parent] = (await lineage(later as string)).body.lineage.parents
    expect([parent.eventId, parent.via, parent.parents.map(({ eventId, via }: Json) => [eventId, via])]).toEqual([
      split,
      ['instance'],
      [[made, ['lot']]],
    ])
  })

  test('joins the events of one transformation', async () => {
    const [milk, cheese] = [item('milk'), item('cheese')]
    const transformationID = item('vat')
    const [fill] = await stored(event('TransformationEvent', { transformationID, inputEPCList: [milk] }))
    const [take] = await stored(event('TransformationEvent', { transformationID, outputEPCList: [cheese] }))
    expect(
      (await lineage(take as string)).body.lineage.parents.map(({ eventId, via }: Json) => [eventId, via]),
    ).toEqual([[fill, ['transformation']]])
    expect((await lineage(fill as string)).body.lineage.parents).toEqual([])
  })

  test('leaves out what was withdrawn, and has what is right instead', async () => {
    const [raw, product] = [item('raw'), item('product')]
    const wrong = commissioned(raw, { eventID: `urn:test:${raw}` })
    const right = commissioned(raw, { eventID: `urn:test:right:${raw}` })
    const [wrongId] = await stored(wrong)
    const [rightId] = await stored(right)
    await stored({
      ...wrong,
      errorDeclaration: { declarationTime: at(), reason: 'did_not_occur', correctiveEventIDs: [right.eventID] },
    })
    const [made] = await stored(transformed([raw], [product]))
    const parents = (await lineage(made as string)).body.lineage.parents.map(({ eventId }: Json) => eventId)
    expect(parents).toEqual([rightId])
    expect(parents).not.toContain(wrongId)
  })

  test('leaves out what was withdrawn under another id that the same event was sent with', async () => {
    const [raw, product] = [item('raw'), item('product')]
    const sent = commissioned(raw, { eventID: `urn:test:first:${raw}` })
    const again = { ...sent, eventID: `urn:test:again:${raw}` }
    const [first] = await stored(sent)
    expect(await stored(again)).toEqual([first])
    const [made] = await stored(transformed([raw], [product]))
    const parents = async () => (await lineage(made as string)).body.lineage.parents.map(({ eventId }: Json) => eventId)
    expect(await parents()).toEqual([first])
    const errorDeclaration = { declarationTime: at(), reason: 'did_not_occur' }
    await stored({ ...again, errorDeclaration })
    expect(await parents()).toEqual([])
    await stored({ ...sent, errorDeclaration })
    await stored(sent)
    await stored({ ...sent, eventID: `urn:test:third:${raw}` })
    expect(await parents()).toEqual([])
  })

  test('leaves out what a declaration names by its id alone, and no other event', async () => {
    const [raw, other, product] = [item('raw'), item('other'), item('product')]
    const wrong = commissioned(raw, { eventID: `urn:test:named:${raw}` })
    const [, valid] = [await stored(wrong), await stored(commissioned(other))]
    const declared = { ...wrong, disposition: 'inactive', errorDeclaration: { declarationTime: at() } }
    await stored(declared)
    const [made] = await stored(transformed([raw, other], [product]))
    expect((await lineage(made as string)).body.lineage.parents.map(({ eventId }: Json) => eventId)).toEqual(valid)
  })

  test('answers a circle as one', async () => {
    const [one, other] = [item('one'), item('other')]
    const eventTime = at()
    const [id] = await stored(transformed([one], [other], { eventTime }))
    await stored(transformed([other], [one], { eventTime }))
    const { status, body } = await lineage(id as string)
    expect([status, body]).toEqual([
      400,
      {
        success: false,
        error: 'Lineage Retrieval Failed',
        message: 'Circular reference detected in lineage graph.',
      },
    ])
  })

  test('ends after 32 levels, and after 1,000 events, and says so', async () => {
    const deep = Array.from({ length: 40 }, () => item('deep'))
    const chain = deep.slice(1).map((output, index) => transformed([deep[index] as string], [output]))
    const ids = await stored(documentOf(chain))
    const { body } = await lineage(ids.at(-1) as string)
    expect(body.truncated).toBe(true)
    expect(edgesOf(body.lineage, new Map()).length).toBe(32)
    const wide = Array.from({ length: 1005 }, () => item('wide'))
    for (let start = 0; start < wide.length; start += 500)
      await stored(documentOf(wide.slice(start, start + 500).map((one) => commissioned(one))))
    const [half, rest] = [item('half'), item('rest')]
    await stored(transformed(wide.slice(0, 600), [half]))
    await stored(transformed(wide.slice(600), [rest]))
    const [all] = await stored(transformed([half, rest], [item('whole')]))
    const { body: large } = await lineage(all as string)
    expect(large.truncated).toBe(true)
    expect(edgesOf(large.lineage, new Map()).length).toBe(999)
  })

  test('is invisible to other workspaces', async () => {
    const shared = item('shared')
    const [own] = await stored(commissioned(shared))
    const other = await createWorkspace(gateway)
    const [theirs] = await stored(observed(shared, 'receiving'), other.as)
    expect((await lineage(theirs as string, other.as)).body.lineage.parents).toEqual([])
    expect((await lineage(own as string, other.as)).status).toBe(404)
    const seen = await query('MATCH_anyEPC', shared, other.as)
    expect(seen.map(({ bizStep }: Json) => bizStep)).toEqual(['receiving'])
  })

  test('of random graphs in two workspaces matches their own events, and never reaches the other', async () => {
    const other = await createWorkspace(gateway)
    const graphs = fc.array(
      fc.record({
        owner: fc.constantFrom('own', 'other'),
        inputs: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
        output: fc.nat(11),
      }),
      { minLength: 4, maxLength: 14 },
    )
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const prefix = item('graph')
        const name = (number: number) => `${prefix}-${number}`
        const events = graph
          .filter(({ inputs, output }) => !inputs.includes(output))
          .map(({ owner, inputs, output }) => ({
            owner,
            inputs,
            output,
            event: inputs.length === 0 ? commissioned(name(output)) : transformed(inputs.map(name), [name(output)]),
          }))
        const ids: string[] = []
        for (const { owner, event: one } of events)
          ids.push(...(await stored(one, owner === 'own' ? workspace.as : other.as)))
        for (const [index, { owner, inputs }] of events.entries()) {
          const as = owner === 'own' ? workspace.as : other.as
          const { body } = await lineage(ids[index] as string, as)
          const parents = body.lineage.parents.map(({ eventId }: Json) => eventId).sort()
          const expected = events.flatMap((one, at) =>
            at < index && one.owner === owner && inputs.includes(one.output) ? [at] : [],
          )
          expect(parents).toEqual([...new Set(expected.map((at) => ids[at]))].sort())
          const reached = new Set(
            edgesOf(body.lineage, new Map(ids.map((id, at) => [id, String(at)]))).flatMap((edge) => edge.split('<')),
          )
          for (const at of reached) expect(events[Number(at)]?.owner).toBe(owner)
        }
      }),
      { numRuns: 15, seed: 20261123 },
    )
  })
})

async function query(name: string, value: string, as: TestWorkspace['as'] = workspace.as) {
  const { body } = await gateway.request('GET', `/api/v1/events?${name}=${encodeURIComponent(value)}`, { headers: as })
  return body.epcisBody.queryResults.resultsBody.eventList
}

describe('queries', () => {
  test('have the names of EPCIS 2.0, and all that is asked must hold', async () => {
    const [input, output, parent] = [item('in'), item('out'), item('parent')]
    await stored(
      documentOf([
        transformed([input], [output], { bizStep: 'commissioning', bizLocation: { id: 'geo:1,2' } }),
        event('AggregationEvent', { action: 'ADD', bizStep: 'packing', parentID: parent, childEPCs: [output] }),
        observed(output, 'shipping', { disposition: 'in_transit' }),
      ]),
    )
    const steps = async (parameters: string) => {
      const { body } = await gateway.request('GET', `/api/v1/events?${parameters}`, { headers: workspace.as })
      return body.epcisBody.queryResults.resultsBody.eventList.map(({ bizStep }: Json) => bizStep)
    }
    const of = encodeURIComponent
    expect(await steps(`MATCH_anyEPC=${of(output)}`)).toEqual(['commissioning', 'packing', 'shipping'])
    expect(await steps(`MATCH_outputEPC=${of(output)}`)).toEqual(['commissioning'])
    expect(await steps(`MATCH_inputEPC=${of(input)}`)).toEqual(['commissioning'])
    expect(await steps(`MATCH_epc=${of(output)}`)).toEqual(['packing', 'shipping'])
    expect(await steps(`MATCH_parentID=${of(parent)}`)).toEqual(['packing'])
    expect(await steps(`MATCH_anyEPC=${of(output)}&EQ_bizStep=shipping,receiving`)).toEqual(['shipping'])
    expect(
      await steps(`MATCH_anyEPC=${of(output)}&EQ_bizStep=${of('https://ref.gs1.org/cbv/BizStep-shipping')}`),
    ).toEqual(['shipping'])
    expect(await steps(`MATCH_anyEPC=${of(output)}&EQ_action=ADD`)).toEqual(['packing'])
    expect(await steps(`MATCH_anyEPC=${of(output)}&eventType=ObjectEvent`)).toEqual(['shipping'])
    expect(await steps(`MATCH_anyEPC=${of(output)}&EQ_disposition=in_transit`)).toEqual(['shipping'])
    expect(await steps(`MATCH_anyEPC=${of(output)}&EQ_bizLocation=geo:1,2`)).toEqual(['commissioning'])
    expect(await steps(`MATCH_anyEPC=${of(output)}&LT_eventTime=2020-01-01T00:00:00Z`)).toEqual([])
    expect(await steps(`MATCH_anyEPC=${of(output)}&MATCH_inputEPC=${of(input)}`)).toEqual(['commissioning'])
    const wrong = await gateway.request('GET', '/api/v1/events?GE_eventTime=yesterday', { headers: workspace.as })
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('GE_eventTime')])
    const here = `MATCH_anyEPC=${of(output)}`
    expect(await steps(`${here}&EQ_bizStep=shipping|packing`)).toEqual(['packing', 'shipping'])
    expect(await steps(`${here}&EQ_bizStep=shipping%7Cpacking`)).toEqual(['packing', 'shipping'])
    expect(await steps(`${here}&EQ_action=ADD|OBSERVE`)).toEqual(['packing', 'shipping'])
    expect(await steps(`${here}&eventType=ObjectEvent|TransformationEvent`)).toEqual(['commissioning', 'shipping'])
    expect(await steps(`${here}&EQ_bizLocation=geo:1,2|geo:3,4`)).toEqual(['commissioning'])
  })

  test.each([
    ['EQ_action=FOO', 'Invalid EQ_action "FOO". Allowed: ADD, OBSERVE, DELETE.'],
    ['EQ_action=ADD|FOO', '"FOO"'],
    ['eventType=Event', 'AssociationEvent'],
    ['EQ_bizTransaction_po=urn:x', 'This operation has no query parameter "EQ_bizTransaction_po".'],
    ['EXISTS_ilmd=true', '"EXISTS_ilmd"'],
    ['EQ_source_owning_party=x', '"EQ_source_owning_party"'],
    ['EQ_persistentDisposition_set=damaged', '"EQ_persistentDisposition_set"'],
    ['EQ_bizSteps=shipping', 'Did you mean EQ_bizStep?'],
    ['bogus=1', '"bogus"'],
    ['GE_eventTime=2026-03-01T00:00:00+01:00', '%2B'],
  ])('review-3-inputs N5: %s is rejected', async (parameters, text) => {
    const { status, body } = await gateway.request('GET', `/api/v1/events?${parameters}`, { headers: workspace.as })
    expect([status, body.message]).toEqual([400, expect.stringContaining(text)])
  })

  test('come in pages that lead to the next, in the form that the official schema has', async () => {
    const one = item('paged')
    await stored(documentOf(Array.from({ length: 5 }, () => observed(one, 'inspecting'))))
    const times: string[] = []
    let path: string | undefined = `/api/v1/events?MATCH_epc=${encodeURIComponent(one)}&perPage=2`
    const sizes: number[] = []
    while (path !== undefined) {
      const { body, headers } = await gateway.request('GET', path, { headers: workspace.as })
      const events = body.epcisBody.queryResults.resultsBody.eventList
      sizes.push(events.length)
      times.push(...events.map(({ eventTime }: { eventTime: string }) => eventTime))
      expect(headers['gs1-epcis-version']).toBe('2.0.0')
      path = /^<([^>]*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
      const official = standard('epcis/EPCIS-JSON-Schema.json')
      if (official !== undefined) {
        const ajv = addFormats.default(new Ajv.default({ strict: false }))
        const validate = ajv.compile(JSON.parse(readFileSync(official, 'utf8')))
        expect([validate(body), validate.errors]).toEqual([true, null])
      }
    }
    expect(sizes).toEqual([2, 2, 1])
    expect(times).toEqual([...times].sort())
    expect(new Set(times).size).toBe(5)
  })
})

describe('screening', () => {
  test('names the place, the list with its source and date, and why; and what it could not look at', async () => {
    const [cotton, shirt] = [item('cotton'), item('shirt')]
    const [farm] = await stored(commissioned(cotton, { readPoint: { id: 'geo:43.8256,87.6168' } }))
    const [sewn] = await stored(transformed([cotton], [shirt]))
    const { status, body } = await gateway.request('POST', `/api/v1/events/${sewn}/audit`, { headers: workspace.as })
    expect(status).toBe(200)
    const { body: origin } = await gateway.request('GET', `/api/v1/events/${farm}`, { headers: workspace.as })
    expect(body.matches).toEqual([
      expect.objectContaining({
        ...{ id: farm, eventId: origin.eventID, field: '/readPoint/id', value: 'geo:43.8256,87.6168' },
        list: 'uflpa-xinjiang',
      }),
    ])
    expect(body.matches[0].reason).not.toBe('')
    for (const { id, source, date, readOn } of body.screened) {
      expect([id, source, date, readOn]).toEqual([
        expect.any(String),
        expect.stringMatching(/^https:/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ])
      expect([id, readOn >= date]).toEqual([id, true])
    }
    expect(body.screened.map(({ id }: Json) => id)).toEqual([
      'uflpa-xinjiang',
      'eudr-high-risk-countries',
      'eudr-plots',
    ])
    expect(body.notScreened.length).toBeGreaterThan(0)
    expect(JSON.stringify(body)).not.toMatch(/"compliant"|"certificate"/)
    expect(
      (await gateway.request('POST', `/api/v1/events/${farm}/audit`, { headers: (await createWorkspace(gateway)).as }))
        .status,
    ).toBe(404)
  })
})

describe('the journey of a product', () => {
  test('is published by its owner, and stands on the page for whom it is', async () => {
    const gln = newGln()
    await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln, name: 'Mill of the Minho', country: 'PT' },
    })
    const gtin = newGtin()
    const { id } = await passports.given({ productId: gtin, metadata: textile() })
    const [fibre] = [item('fibre')]
    const farm = 'geo:30.8,31.0'
    const before = await gateway.request('GET', `/api/v1/passports/${id}/journey`, { headers: workspace.as })
    expect(before.body).toEqual({ success: true, journey: null, unnamedPlaces: [], published: null })
    const none = await gateway.request('PUT', `/api/v1/passports/${id}/journey`, { headers: workspace.as, json: {} })
    expect([none.status, none.body.code]).toEqual([409, 'NO_JOURNEY'])
    await stored(commissioned(fibre as string, { bizLocation: { id: farm } }))
    await stored(
      event('TransformationEvent', {
        inputEPCList: [fibre],
        outputQuantityList: [{ epcClass: `https://id.gs1.org/01/${gtin}/10/L1`, quantity: 100 }],
        bizLocation: { id: `https://id.gs1.org/414/${gln}` },
      }),
    )
    const preview = await gateway.request('GET', `/api/v1/passports/${id}/journey`, { headers: workspace.as })
    expect(preview.body.unnamedPlaces).toEqual([farm])
    const page = async () =>
      (await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'text/html' } })).text
    expect(await page()).not.toContain('id="journey"')
    const { status, body } = await gateway.request('PUT', `/api/v1/passports/${id}/journey`, {
      headers: workspace.as,
      json: { places: [{ uri: farm, name: 'Delta Cooperative', country: 'EG' }] },
    })
    expect([status, body]).toEqual([200, body])
    expect(body.published.steps.map(({ stage, place, from }: Json) => [stage, place, from])).toEqual([
      ['origin', { name: 'Delta Cooperative', country: 'EG', uri: farm }, []],
      ['making', { name: 'Mill of the Minho', country: 'PT', uri: `https://id.gs1.org/414/${gln}` }, [0]],
    ])
    expect(await page()).toContain('Delta Cooperative')
    await gateway.request('PUT', `/api/v1/passports/${id}/journey`, {
      headers: workspace.as,
      json: { audience: ['authority'] },
    })
    expect(await page()).not.toContain('id="journey"')
    const owners = await gateway.request('GET', `/passport/${id}`, {
      headers: { ...workspace.as, accept: 'text/html' },
    })
    expect(owners.text).toContain('Mill of the Minho')
    const withdrawn = await gateway.request('DELETE', `/api/v1/passports/${id}/journey`, { headers: workspace.as })
    expect(withdrawn.status).toBe(200)
    const after = await gateway.request('GET', `/api/v1/passports/${id}/journey`, { headers: workspace.as })
    expect(after.body.published).toBe(null)
  })
})
