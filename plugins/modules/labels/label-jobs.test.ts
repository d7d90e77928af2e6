import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../../../src/start/bounds.ts'
import { BASE_URL, bearer, createWorkspace } from '../../../test/support/gateway.ts'
import { AT_ONCE, useLabels } from '../../../test/support/label-client.ts'
import { filesInZip } from '../../../test/support/zip-reader.ts'

const { gateway, workspace, labels, print, printUnits, jobOf, fileOf, id, unitIds } = await useLabels()

describe('more labels than one response draws', () => {
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

  test('an aborted attempt leaves nothing in the next', async () => {
    const { jobId, request } = await waitingJob(300)
    const broken = new AbortController()
    broken.abort(new Error('The process ends.'))
    await expect(labels.work(workspace.id, jobId, broken.signal)).rejects.toThrow('The process ends.')
    expect((await jobOf(jobId)).body.job.status).toBe('working')
    expect((await fileOf(jobId)).status).toBe(409)
    await labels.work(workspace.id, jobId, new AbortController().signal)
    const files = await filesInZip((await fileOf(jobId)).bytes)
    expect(files.size).toBe(request.ids.length + 1)
    const both = await waitingJob(300)
    let second: Promise<void> | undefined
    const { signal } = new AbortController()
    const beforeEachPiece = () => {
      second ??= labels.work(workspace.id, both.jobId, signal)
    }
    const first = labels.work(workspace.id, both.jobId, Object.assign(signal, { throwIfAborted: beforeEachPiece }))
    await expect(first).rejects.toThrow('Another attempt at these labels has begun.')
    await second
    expect((await filesInZip((await fileOf(both.jobId)).bytes)).size).toBe(request.ids.length + 1)
    await labels.work(workspace.id, jobId, broken.signal)
    await labels.work(workspace.id, randomUUID(), broken.signal)
    expect((await jobOf(jobId)).body.job.status).toBe('done')
  })

  test('a job that is given up says so, and keeps nothing', async () => {
    const { jobId } = await waitingJob(AT_ONCE + 1)
    await labels.abandon(workspace.id, jobId)
    expect((await jobOf(jobId)).body.job).toMatchObject({ status: 'failed' })
    expect((await fileOf(jobId)).body.message).toBe(
      'The labels are not ready yet. Poll the label job until it is done.',
    )
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
    const unitsOnly = await keyWith({ permissions: ['battery:read'] })
    const { body } = await printUnits({ ids: Array(AT_ONCE + 1).fill(unitIds[0]) }, unitsOnly)
    expect(body.message).toBe('Insufficient permissions. Required: "passport:read".')
    await gateway.sqlAs(workspace.id, `update label_job set subject = 'unit' where id = $1`, [ownJob])
    const passportsOnly = await jobOf(ownJob, await keyWith({ permissions: ['passport:read'] }))
    expect(passportsOnly.body.message).toBe('Insufficient permissions. Required: "battery:read".')
    expect((await jobOf(ownJob)).status).toBe(200)
  })

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

  async function done(jobId: string) {
    for (;;) {
      const { job } = (await jobOf(jobId)).body
      if (job.status === 'done' || job.status === 'failed') return job
    }
  }
})
