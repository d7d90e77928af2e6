import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../../src/bounds.ts'
import { passportContent } from '../../src/carriers/content.ts'
import { pixelsOf, rasterised, readByDmtx, readByZbar, readByZxing, textOf } from '../support/code-readers.ts'
import { BASE_URL, bearer, createWorkspace, MASTER_KEY, newGtin, textile } from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { HOSTILE_NAMES } from '../support/hostile-names.ts'
import { judge } from '../support/judges.ts'
import { dpp } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { filesInZip } from '../support/zip-reader.ts'

const AT_ONCE = 30
const { gateway, workspace, passports } = await useGateway({}, { bounds: { labelsAtOnce: AT_ONCE } })
const { labels } = gateway.container.cradle

const poppler = judge('pdftoppm')
const zbar = judge('zbarimg')
const dmtx = judge('dmtxread')

type Headers = Record<string, string>
const print = (json: object, headers: Headers = workspace.as) =>
  gateway.request('POST', '/api/v1/passports/labels', { headers, json })
const printUnits = (json: object, headers: Headers = workspace.as) =>
  gateway.request('POST', '/api/v1/units/labels', { headers, json })
const jobOf = (id: string, headers: Headers = workspace.as) =>
  gateway.request('GET', `/api/v1/label-jobs/${id}`, { headers })
const fileOf = (id: string, headers: Headers = workspace.as) =>
  gateway.request('GET', `/api/v1/label-jobs/${id}/file`, { headers })

const gtin = newGtin()
const inGreek = { ...workspace.as, 'accept-language': 'el' }
const CAPTION = 'Σαρώστε για περισσότερες πληροφορίες σχετικά με το προϊόν'
const { id } = await passports.given({ productId: gtin, metadata: textile({ productName: 'Ελληνικό πουκάμισο' }) })
const sku = await passports.given({ productId: 'SKU-1', metadata: textile({ productName: 'Батерия' }) })
const serials = Array.from({ length: 30 }, (_, index) => `SN-${String(index).padStart(2, '0')}`)
const unitIds = await givenUnits(gateway, workspace, id, serials)

describe('labels of passports', () => {
  test('as PNG: a ZIP with a file of each code, and the manifest', async () => {
    const absent = randomUUID()
    const answer = await print({ ids: [id, absent, sku.id, id, 'no uuid'], size: 200 })
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'application/zip',
      'attachment; filename="labels.zip"',
    ])
    expect(answer.headers['x-labels-skipped']).toBe('2')
    const files = await filesInZip(answer.bytes)
    const names = [`qr-${gtin}.png`, 'qr-SKU-1.png', `qr-${gtin}-2.png`]
    expect([...files.keys()]).toEqual([...names, 'manifest.json'])
    const pngs = names.map((name) => files.get(name) as Buffer)
    expect(pngs.map((png) => pixelsOf(png).size)).toEqual([200, 200, 200])
    if (zbar !== undefined) {
      expect(readByZbar(pngs)).toEqual([
        `${BASE_URL}/01/${gtin}`,
        `${BASE_URL}/passport/${sku.id}`,
        `${BASE_URL}/01/${gtin}`,
      ])
    }
    expect(JSON.parse(String(files.get('manifest.json')))).toEqual({
      included: 3,
      skipped: [
        { id: absent, reason: 'NOT_FOUND' },
        { id: 'no uuid', reason: 'NOT_FOUND' },
      ],
    })
  })

  test('as SVG, with what people read below', async () => {
    const files = await filesInZip((await print({ ids: [id], format: 'svg', hri: true, ecl: 'H' })).bytes)
    expect(String(files.get(`qr-${gtin}.svg`))).toContain(`>(01) ${gtin}</text>`)
  })

  test.runIf(poppler !== undefined)('as PDF: sheets, with the names in their own letters', async () => {
    const answer = await print({ ids: [id, sku.id], format: 'pdf', layout: 'L7163' })
    expect([answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      'application/pdf',
      'attachment; filename="labels.pdf"',
    ])
    const text = textOf(answer.bytes)
    for (const word of ['Ελληνικό πουκάμισο', `(01) ${gtin}`, 'Батерия', 'SKU-1']) expect(text).toContain(word)
    const [page] = rasterised(answer.bytes, 200)
    expect((await readByZxing(page as Uint8Array)).map((found) => found.text).sort()).toEqual(
      [`${BASE_URL}/01/${gtin}`, `${BASE_URL}/passport/${sku.id}`].sort(),
    )
  })

  test.runIf(poppler !== undefined)('with a caption that invites to scan, in each form that has texts', async () => {
    const files = await filesInZip((await print({ ids: [id], format: 'svg', caption: true }, inGreek)).bytes)
    expect(
      String(files.get(`qr-${gtin}.svg`))
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' '),
    ).toContain(CAPTION)
    // The smallest labels that there are, both codes, and the longest caption.
    for (const symbology of ['qr', 'datamatrix']) {
      const asked = { ids: [id], format: 'pdf', layout: 'roll-50x25', symbology, caption: true }
      const { bytes } = await print(asked, inGreek)
      expect(textOf(bytes).replace(/\s+/g, ' ')).toContain(CAPTION)
      const [page] = rasterised(bytes, 300)
      if (symbology === 'datamatrix' && dmtx !== undefined) expect(readByDmtx(page as Uint8Array)).toContain(gtin)
      if (symbology === 'qr' && zbar !== undefined) {
        expect(readByZbar([page as Uint8Array])).toEqual([`${BASE_URL}/01/${gtin}`])
      }
    }
  })

  test('a DataMatrix is left out where there is no GS1 key', async () => {
    const files = await filesInZip((await print({ ids: [sku.id, id], symbology: 'datamatrix' })).bytes)
    expect([...files.keys()]).toEqual([`qr-${gtin}.png`, 'manifest.json'])
    expect(JSON.parse(String(files.get('manifest.json'))).skipped).toEqual([{ id: sku.id, reason: 'NOT_GS1' }])
    const refused = await print({ ids: [sku.id], symbology: 'datamatrix' })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      `Nothing can be printed like that: NOT_GS1 for ${sku.id}.`,
    ])
  })

  test('no name and no product id keeps the others from being printed', async () => {
    const ids: string[] = []
    for (const [index, name] of HOSTILE_NAMES.entries()) {
      // Texts with halves of characters and with U+0000 are refused where they come in.
      if (!name.isWellFormed() || name.includes('\u0000')) continue
      const given = await passports.given({
        productId: `${index} ${name.trim().slice(0, 150)}`,
        metadata: textile({ productName: name }),
      })
      ids.push(given.id)
    }
    expect(ids.length).toBeGreaterThan(10)
    const files = await filesInZip((await print({ ids, size: 300 })).bytes)
    expect(files.size).toBe(ids.length + 1)
    for (const name of files.keys()) expect(name).toMatch(/^(qr-[A-Za-z0-9._-]{1,80}\.png|manifest\.json)$/)
    if (poppler !== undefined) expect(rasterised((await print({ ids, format: 'pdf' })).bytes, 30)).toHaveLength(1)
  })

  test('names that differ in nothing that every system tells apart get numbers', async () => {
    const given = []
    for (const productId of ['ABC/1', 'abc?1', 'ABC_1-2', 'ABC 1'])
      given.push((await passports.given({ productId })).id)
    const files = await filesInZip((await print({ ids: given })).bytes)
    expect([...files.keys()].slice(0, 4)).toEqual([
      'qr-ABC_1.png',
      'qr-abc_1-2.png',
      'qr-ABC_1-2-2.png',
      'qr-ABC_1-3.png',
    ])
  })

  test('what is not a request is refused in words', async () => {
    const refused = async (json: object) => {
      const { status, body } = await print(json)
      expect([status, body.success, body.error]).toEqual([400, false, 'Bad Request'])
      return body.message
    }
    const many = 'ids must be a list of 1 to 10,000 UUIDs.'
    for (const ids of [undefined, null, [], 'x', [1], Array(10_001).fill(id), [['x']]]) {
      expect(await refused({ ids })).toBe(many)
    }
    expect(await refused({ ids: [id], format: 'gif' })).toBe('format must be png, svg or pdf')
    expect(await refused({ ids: [id], ecl: 'L' })).toBe('ecl must be M, Q or H')
    expect(await refused({ ids: [id], size: '200' })).toBe('size must be a number')
    expect(await refused({ ids: [id], hri: 'yes' })).toBe('hri must be true or false')
    expect(await refused({ ids: [id], caption: 'yes' })).toBe('caption must be true or false')
    expect(await refused({ ids: [id], symbology: 'ean' })).toBe('symbology must be qr or datamatrix')
    expect(await refused({ ids: [id], layout: 7 })).toBe('layout must be a text')
    for (const layout of ['A4', '../L7160', 'constructor', '__proto__', '']) {
      expect(await refused({ ids: [id], layout })).toMatch(/^layout must be one of: 5160, L7159/)
    }
    const { status, body } = await print({ ids: [randomUUID()] })
    expect([status, body.message]).toEqual([404, 'Nothing of what was named is in your workspace.'])
  })
})

describe('labels of units', () => {
  const filesOf = async (json: object) => {
    const answer = await printUnits(json)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/zip'])
    return [...(await filesInZip(answer.bytes)).keys()].slice(0, -1)
  }
  const named = (from: number, to: number) => serials.slice(from, to).map((serial) => `qr-${serial}.png`)

  test('by their ids, in the order in which they are named', async () => {
    expect(await filesOf({ ids: [unitIds[2], unitIds[0]] })).toEqual([...named(2, 3), ...named(0, 1)])
  })

  test('all of a passport, or a range of them, in the order of their serial numbers', async () => {
    expect(await filesOf({ passportId: id })).toEqual(named(0, 30))
    expect(await filesOf({ passportId: id.toUpperCase(), from: 'SN-10', to: 'SN-12' })).toEqual(named(10, 13))
    expect(await filesOf({ passportId: id, from: 'SN-28' })).toEqual(named(28, 30))
    expect(await filesOf({ passportId: id, to: 'SN-00' })).toEqual(named(0, 1))
  })

  test.runIf(poppler !== undefined)('on sheets, with what their codes say', async () => {
    const { bytes } = await printUnits({ passportId: id, format: 'pdf', layout: '5160' })
    const [page, ...others] = rasterised(bytes, 200)
    expect(others).toEqual([])
    expect((await readByZxing(page as Uint8Array)).map(({ text }) => text).sort()).toEqual(
      serials.map((serial) => `${BASE_URL}/01/${gtin}/21/${serial}`),
    )
    expect(textOf(bytes)).toContain('(21) SN-29')
  })

  test('need one way to name them', async () => {
    for (const [json, message] of [
      [{}, 'Name either ids or passportId.'],
      [{ ids: unitIds, passportId: id }, 'Name either ids or passportId.'],
      [{ ids: unitIds, from: 'A' }, 'from and to go with passportId.'],
      [{ passportId: 'x' }, 'passportId must be a UUID.'],
      [{ passportId: 5 }, 'passportId must be a UUID.'],
      [{ passportId: id, from: 5 }, 'from must be a serial number.'],
    ] as const) {
      const { status, body } = await printUnits(json)
      expect([status, body.message]).toEqual([400, message])
    }
    for (const json of [{ passportId: sku.id }, { passportId: id, from: 'T' }, { passportId: randomUUID() }]) {
      const { status, body } = await printUnits(json)
      expect([status, body.message]).toEqual([404, 'There are no such units in your workspace.'])
    }
  })

  test('more than 10,000 have to be asked for in parts', async () => {
    const large = await passports.given({})
    await givenUnits(
      gateway,
      workspace,
      large.id,
      Array.from({ length: 10_001 }, (_, index) => `N${index}`),
    )
    const { status, body } = await printUnits({ passportId: large.id })
    expect([status, body.message]).toEqual([
      400,
      'There are more than 10000 units. Ask for a part of them, with from and to.',
    ])
  })
})

describe('more labels than are drawn at once', () => {
  const many = (count: number) => Array<string>(count).fill(id)

  test('as many as that, which are 500, are the answer, and one more is a job', async () => {
    expect(BOUNDS.labelsAtOnce).toBe(500)
    expect((await print({ ids: many(AT_ONCE), size: 128 })).status).toBe(200)
    const other = await createWorkspace(gateway)
    const { status, body } = await print({ ids: many(AT_ONCE + 1), format: 'pdf' }, other.as)
    expect([status, body]).toEqual([
      202,
      {
        success: true,
        job: {
          id: expect.any(String),
          status: 'waiting',
          format: 'pdf',
          createdAt: expect.any(String),
          expiresAt: expect.any(String),
          url: `${BASE_URL}/api/v1/label-jobs/${body.job.id}`,
        },
      },
    ])
    expect(Date.parse(body.job.expiresAt) - Date.parse(body.job.createdAt)).toBe(24 * 3_600_000)
  })

  test('a job is drawn by itself, and its file is fetched as often as one likes', async () => {
    const absent = randomUUID()
    const { body } = await print({ ids: [absent, ...many(120)], size: 128 })
    const job = await done(body.job.id)
    expect(job).toMatchObject({
      status: 'done',
      format: 'png',
      included: 120,
      skipped: [{ id: absent, reason: 'NOT_FOUND' }],
      file: `${body.job.url}/file`,
    })
    for (let time = 0; time < 2; time += 1) {
      const { headers, bytes } = await fileOf(body.job.id)
      expect([headers['content-type'], headers['content-length'], headers['x-labels-skipped']]).toEqual([
        'application/zip',
        String(job.bytes),
        '1',
      ])
      const files = await filesInZip(bytes)
      expect(files.size).toBe(121)
      expect(JSON.parse(String(files.get('manifest.json')))).toEqual({ included: 120, skipped: job.skipped })
    }
  })

  test('an attempt that was broken off leaves nothing in the next', async () => {
    const { jobId, request } = await waitingJob(300)
    const broken = new AbortController()
    broken.abort(new Error('The process ends.'))
    await expect(labels.work(workspace.id, jobId, broken.signal)).rejects.toThrow('The process ends.')
    expect((await jobOf(jobId)).body.job.status).toBe('working')
    expect((await fileOf(jobId)).status).toBe(409)
    await labels.work(workspace.id, jobId, new AbortController().signal)
    const files = await filesInZip((await fileOf(jobId)).bytes)
    expect(files.size).toBe(request.ids.length + 1)
    // Of two at the same job the later one goes on.
    const both = await waitingJob(300)
    const attempts = [1, 2].map(() => labels.work(workspace.id, both.jobId, new AbortController().signal))
    const results = await Promise.allSettled(attempts)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await filesInZip((await fileOf(both.jobId)).bytes)).size).toBe(request.ids.length + 1)
    // Whoever comes late does nothing.
    await labels.work(workspace.id, jobId, broken.signal)
    await labels.work(workspace.id, randomUUID(), broken.signal)
    expect((await jobOf(jobId)).body.job.status).toBe('done')
  })

  test('a job that is given up says so, and keeps nothing', async () => {
    const { jobId } = await waitingJob(AT_ONCE + 1)
    await labels.abandon(workspace.id, jobId)
    expect((await jobOf(jobId)).body.job).toMatchObject({ status: 'failed' })
    expect((await fileOf(jobId)).body.message).toBe('The labels are not drawn yet. Ask for the job until it is done.')
  })

  test('a workspace has few of them: two that are not done, and the last three that are', {
    timeout: 300_000,
  }, async () => {
    const other = await createWorkspace(gateway)
    const add = (status: string, age: number) =>
      gateway.sqlAs(
        other.id,
        `insert into label_job (id, tenant_id, subject, request, status, created_at, expires_at)
         values (gen_random_uuid(), $1, 'passport', '{"ids": []}', $2, now() - $3 * interval '1 hour', now() + interval '1 hour')`,
        [other.id, status, age],
      )
    for (const age of [5, 4, 3, 2, 1]) await add('done', age)
    await add('waiting', 0)
    expect((await print({ ids: many(AT_ONCE + 1) }, other.as)).status).toBe(202)
    const ages = await gateway.sqlAs<{ age: number }>(
      other.id,
      `select extract(hour from now() - created_at)::int as age from label_job where status in ('done', 'failed')
       and created_at < now() - interval '30 minutes' order by created_at`,
    )
    expect(ages.map(({ age }) => age)).toEqual([3, 2, 1])
    await add('working', 0)
    const { status, body } = await print({ ids: many(AT_ONCE + 1) }, other.as)
    expect([status, body.code]).toEqual([409, 'LABEL_JOB_LIMIT_REACHED'])
  })

  test('a job is gone when it has expired, and its pieces go with it', async () => {
    const { jobId } = await waitingJob(AT_ONCE + 1)
    await labels.work(workspace.id, jobId, new AbortController().signal)
    const pieces = () => gateway.sqlAs(workspace.id, `select place from label_piece where job_id = $1`, [jobId])
    expect(await pieces()).not.toEqual([])
    await gateway.sqlAs(workspace.id, `update label_job set expires_at = now() - interval '1 second' where id = $1`, [
      jobId,
    ])
    expect([(await jobOf(jobId)).status, (await fileOf(jobId)).status]).toEqual([404, 404])
    // As the role of the job queues, which sees what has expired and nothing else.
    await gateway.container.cradle.boss.getDb().executeSql(`delete from public.label_job`)
    expect(await pieces()).toEqual([])
    expect((await gateway.sqlAs(workspace.id, 'select id from label_job')).length).toBeGreaterThan(0)
  })

  test('a job is seen by those who may have asked for it', async () => {
    const { createKey } = gateway.container.cradle.workspaces
    const keyWith = async (more: object) =>
      bearer((await createKey({ workspaceId: workspace.id, role: 'BRAND_OPERATOR', ...more })).key)
    const { jobId } = await waitingJob(AT_ONCE + 1)
    const ofOperator = await keyWith({ operatorId: workspace.operatorId })
    const ownJob = (await waitingJob(AT_ONCE + 1, workspace.operatorId)).jobId
    const other = await createWorkspace(gateway)
    for (const ask of [jobOf, fileOf]) {
      expect((await ask(jobId, other.as)).status).toBe(404)
      expect((await ask(jobId, ofOperator)).body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
      expect((await ask('no-uuid')).status).toBe(404)
      const narrow = await ask(jobId, await keyWith({ permissions: ['battery:read'] }))
      expect([narrow.status, narrow.body.message]).toEqual([
        403,
        'Insufficient permissions. Required: "passport:read".',
      ])
    }
    expect((await jobOf(ownJob, ofOperator)).status).toBe(200)
    const unitsAlone = await keyWith({ permissions: ['battery:read'] })
    const { body } = await printUnits({ ids: Array(AT_ONCE + 1).fill(unitIds[0]) }, unitsAlone)
    expect(body.message).toBe('Insufficient permissions. Required: "passport:read".')
    await gateway.sqlAs(workspace.id, `update label_job set subject = 'unit' where id = $1`, [ownJob])
    const passportsAlone = await jobOf(ownJob, await keyWith({ permissions: ['passport:read'] }))
    expect(passportsAlone.body.message).toBe('Insufficient permissions. Required: "battery:read".')
    expect((await jobOf(ownJob)).status).toBe(200)
  })

  /** A job that no queue knows. */
  async function waitingJob(count: number, operatorId: string | null = null) {
    const jobId = randomUUID()
    const request = { subject: 'passport', ids: many(count), size: 128 }
    await gateway.sqlAs(
      workspace.id,
      `insert into label_job (id, tenant_id, operator_id, subject, request, created_at, expires_at)
       values ($1, $2, $3, 'passport', $4, now(), now() + interval '1 hour')`,
      [jobId, workspace.id, operatorId, JSON.stringify(request)],
    )
    return { jobId, request }
  }

  /** The job, once it is done. */
  async function done(jobId: string) {
    for (;;) {
      const { job } = (await jobOf(jobId)).body
      if (job.status === 'done' || job.status === 'failed') return job
    }
  }
})

describe('labels of others', () => {
  test('are not printed: they are left out as if they were not there', async () => {
    const other = await createWorkspace(gateway)
    expect((await print({ ids: [id] }, other.as)).status).toBe(404)
    expect((await printUnits({ ids: unitIds }, other.as)).status).toBe(404)
    expect((await printUnits({ passportId: id }, other.as)).status).toBe(404)
  })

  test('nor those of another operator, by a key of one', async () => {
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'Second', regId: `REG-${randomUUID()}` },
    })
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId: body.operator.id,
    })
    const own = await passports.given({ operatorId: body.operator.id })
    const files = await filesInZip((await print({ ids: [id, own.id] }, bearer(key))).bytes)
    expect([...files.keys()]).toEqual([`qr-${own.productId}.png`, 'manifest.json'])
    expect((await printUnits({ passportId: id }, bearer(key))).status).toBe(404)
  })
})

describe('dpp labels', () => {
  const env = { DATABASE_URL: gateway.databaseUrl, MASTER_KEY, BASE_URL }
  const inFolder = async (use: (file: string, folder: string) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), 'dpp-labels-'))
    await use(join(folder, 'out'), folder).finally(() => rmSync(folder, { recursive: true }))
  }

  test('writes a file, says what it has printed, and leaves nothing half done', async () => {
    await inFolder(async (out, folder) => {
      const absent = randomUUID()
      const { stdout, stderr, code } = await dpp(
        [
          'labels',
          '--workspace',
          workspace.id,
          '--passport',
          `${id},${absent}`,
          '--format',
          'png',
          '--out',
          out,
          '--json',
        ],
        env,
      )
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toEqual({
        file: out,
        bytes: readFileSync(out).length,
        included: 1,
        skipped: [{ id: absent, reason: 'NOT_FOUND' }],
      })
      expect([...(await filesInZip(readFileSync(out))).keys()]).toEqual([`qr-${gtin}.png`, 'manifest.json'])
      expect(readdirSync(folder)).toEqual(['out'])
    })
  })

  test.runIf(poppler !== undefined)('prints the units of a passport on sheets', async () => {
    await inFolder(async (out) => {
      const { stdout, code } = await dpp(
        ['labels', '--workspace', workspace.id, '--units-of', id, '--from', 'SN-05', '--layout', 'L7160', '--out', out],
        env,
      )
      expect([code, stdout]).toEqual([0, `25 labels: ${out}\n`])
      const text = textOf(readFileSync(out))
      expect([text.includes('(21) SN-05'), text.includes('(21) SN-29'), text.includes('(21) SN-04')]).toEqual([
        true,
        true,
        false,
      ])
    })
  })

  test.each([
    [['--passport', id], '--out is missing.'],
    [['--out', 'x'], 'Give one of --passport, --unit and --units-of.'],
    [['--passport', id, '--units-of', id, '--out', 'x'], 'Give one of --passport, --unit and --units-of.'],
    [['--passport', id, '--out', 'x', '--layout', 'A4'], '--layout must be one of: 5160, L7159, L7160, L7163,'],
    [['--passport', id, '--out', 'x', '--format', 'gif'], '--format must be one of: pdf, png, svg.'],
    [['--passport', id, '--out', 'x', '--size', 'big'], '--size must be a whole number of pixels.'],
    [['--passport', id, '--out', '/no/such/folder/x'], '--out: ENOENT'],
  ])('%j is refused', async (words, message) => {
    const { code, stderr } = await dpp(['labels', '--workspace', workspace.id, ...words], env)
    expect([code, stderr.slice(0, message.length)]).toEqual([2, message])
  })

  test('ends with 1 where there is nothing to print', async () => {
    await inFolder(async (out) => {
      const { code, stdout } = await dpp(['labels', '--workspace', randomUUID(), '--passport', id, '--out', out], env)
      expect([code, stdout]).toEqual([1, `0 labels: ${out}\nNOT_FOUND  ${id}\n`])
    })
  })
})

test('what a code says is what the address of the passport resolves', async () => {
  const { uri } = passportContent(BASE_URL, { id, productId: gtin })
  const { body } = await gateway.request('GET', uri.slice(BASE_URL.length), {
    headers: { accept: 'application/ld+json' },
  })
  expect(body.id).toBe(id)
})
