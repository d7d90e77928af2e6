import { execFileSync, spawnSync } from 'node:child_process'
import { createPublicKey, hash, randomUUID, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifySealedPassport } from '../../src/verify/seal.ts'
import { useChromium } from '../browser/chromium.ts'
import { createWorkspace, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { referenceTool } from '../support/reference-tools.ts'
import {
  type Case,
  everyCase,
  type Made,
  type Question,
  questionOf,
  revocationsIn,
  VECTORS,
  type Verdict,
  vectors,
} from '../support/seal-vectors.ts'

// Every verifier gets each case of seal-vectors.json; a difference fails with a table.

interface Answer {
  readonly verdict: Verdict
  readonly reason: string
}

/** Returns the verdicts in order. */
type Verifier = (questions: readonly Question[]) => Promise<readonly Answer[]>

const CASES = fileURLToPath(new URL('../conformance/seal-cases.mjs', import.meta.url))
const PYTHON = fileURLToPath(new URL('../conformance/verify_seal.py', import.meta.url))

const NO_FURTHER = { registerCases: [], authorityCases: [], revocationCases: [] }

const hasPython = referenceTool('openssl') !== undefined && referenceTool('python3') !== undefined

/** A gateway with the seal CA, key, passports and register of the vectors. */
async function startVectorGateway(): Promise<TestGateway> {
  // Base URL of the vectors' links.
  const started = await startTestGateway({ BASE_URL: 'https://dpp.example' })
  const authority = new X509Certificate(vectors.sealCa)
  await started.sql(
    `insert into node_key (purpose, signer_key, public_jwk, certificate) values ('seal-ca', 'none', $1, $2)`,
    [JSON.stringify(authority.publicKey.export({ format: 'jwk' })), authority.raw.toString('base64')],
  )
  const workspace = await createWorkspace(started, { withKey: false })
  const run = (text: string, values: unknown[]) => started.sqlAs(workspace.id, text, values)
  const [{ operator, publicKeyPem }] = vectors.made as readonly [Made]
  const keyId = randomUUID()
  const fingerprint = hash('sha256', createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' }), 'hex')
  await run(
    `insert into operator (id, tenant_id, name, reg_id, role, created_at) values ($1, $2, $3, $4, 'MANUFACTURER', now())`,
    [...[operator.id, workspace.id, operator.name, operator.regId]],
  )
  await run(`insert into operator_binding (tenant_id, operator_id) values ($1, $2)`, [workspace.id, operator.id])
  await run(
    `insert into tenant_key (id, tenant_id, number, signer_key, public_key_pem, fingerprint, created_at)
     values ($1, $2, 1, 'none', $3, $4, now())`,
    [keyId, workspace.id, publicKeyPem, fingerprint],
  )
  for (const { documents, passport, facility, ...seal } of vectors.made) {
    if (facility !== null) {
      await run(
        `insert into facility (id, tenant_id, gln, name, activity, country, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, now(), now()) on conflict do nothing`,
        [facility.id, workspace.id, facility.gln, facility.name, facility.activity, facility.country],
      )
    }
    // The vectors share products; here each passport has its own.
    await run(
      `insert into passport (id, tenant_id, operator_id, facility_id, product_id, status, metadata, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'ACTIVE', $6, $7, $7)`,
      [
        ...[passport.id, workspace.id, operator.id, facility?.id ?? null, documents[0]],
        ...[JSON.stringify(seal.metadata), seal.created],
      ],
    )
    const sealId = randomUUID()
    await run(
      `insert into seal (id, passport_id, tenant_id, operator_id, key_id, passport_version, merkle_root, signature,
         public_key_pem, leaves, x5c, subject, created_at) values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, $11, $12)`,
      [
        ...[sealId, passport.id, workspace.id, operator.id, keyId, seal.merkleRoot, seal.signature, seal.publicKeyPem],
        ...[seal.leaves, seal.x5c, seal.subject].map((value) => JSON.stringify(value)),
        seal.created,
      ],
    )
    await run('update passport set seal_id = $1 where id = $2', [sealId, passport.id])
  }
  return started
}

let folder: string
const browser = await useChromium()
let page: Page
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startVectorGateway()
  folder = mkdtempSync(join(tmpdir(), 'dpp-verdicts-'))
  page = await browser.newPage()
  // A saved file, without a server.
  const file = join(folder, 'verify.html')
  writeFileSync(file, (await gateway.request('GET', '/verify')).text)
  await page.goto(pathToFileURL(file).href)
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Verifiers of seals by name. A further one is one entry here. */
const verifiers: Record<string, Verifier> = {
  // One process for all cases.
  python: async (questions) => {
    const file = join(folder, 'vectors.json')
    const cases = questions.map((question) => question.case)
    const { sealCa, documents } = vectors
    writeFileSync(file, JSON.stringify({ sealCa, documents, cases, ...NO_FURTHER }))
    const printed = execFileSync('python3', [PYTHON, '--vectors', file], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    return JSON.parse(printed)
  },

  gateway: async (questions) => {
    const answers: Answer[] = []
    for (const { text } of questions) {
      // The document is inserted into the request as is, without a byte order mark.
      const raw = `{"payload":${text.replace(/^\ufeff/, '')}}`
      const { status, body } = await gateway.request('POST', '/api/v1/audit/verify', { raw })
      answers.push({ verdict: status === 200 ? body.verdict : 'not valid', reason: body.message })
    }
    return answers
  },

  'dpp verify': (questions) =>
    Promise.all(
      questions.map(async (question) => {
        const { text, sealCa } = question
        const { verdict, checks } = await verifySealedPassport(text, { sealCa, revocations: revocationsIn(question) })
        return { verdict, reason: checks.find(({ ok }) => ok !== true)?.detail ?? 'All checks passed.' }
      }),
    ),

  page: (questions) =>
    page.evaluate(
      `(async (questions) => {
        const answers = []
        for (const [text, sealCa, given] of questions) {
          const lists = given?.map((list) => Uint8Array.from(list))
          answers.push(await verifySeal(text, sealCa ?? undefined, { lists }))
        }
        return answers.map(({ verdict, reason }) => ({ verdict, reason }))
      })(${JSON.stringify(questions.map(({ text, sealCa, lists }) => [text, sealCa ?? null, lists?.map((one) => [...one]) ?? null]))})`,
    ) as Promise<readonly Answer[]>,
}
/** Excludes cases with other authorities, limits or addresses than the gateway's. */
const isFor = (verifier: string) => (one: Case) =>
  verifier !== 'gateway' ||
  (one.trust !== 'none' && one.sealCa === undefined && one.lists === undefined && one.only !== 'offline')
const isMissing = (verifier: string) => verifier === 'python' && !hasPython

/** One line for every unexpected verdict. */
async function differences(verifier: string, all: readonly Case[]) {
  const cases = all.filter(isFor(verifier))
  const expected = (one: Case) => (verifier === 'gateway' ? (one.gateway ?? one.verdict) : one.verdict)
  const questions = cases.map(questionOf)
  const answers = await (verifiers[verifier] as Verifier)(questions)
  expect(answers).toHaveLength(cases.length)
  return cases.flatMap((one, at) => {
    const { verdict, reason } = answers[at] as Answer
    const brokeOff = reason.startsWith('The check was aborted')
    return verdict === expected(one) && !brokeOff
      ? []
      : [`${verifier} | ${one.name} | expected ${expected(one)} (${one.why ?? ''}) | ${verdict}: ${reason}`]
  })
}

describe.each(Object.keys(verifiers))('%s', (verifier) => {
  test.skipIf(isMissing(verifier))(
    'gives the one answer to every case',
    async () => {
      expect(await differences(verifier, vectors.cases)).toEqual([])
    },
    120_000,
  )

  test.skipIf(isMissing(verifier))('says of what only a register knows what it can', async () => {
    expect(await differences(verifier, vectors.registerCases)).toEqual([])
  })

  test.skipIf(isMissing(verifier))(
    'trusts certificate authorities that are given, and nothing else that is given as one',
    async () => {
      expect(await differences(verifier, vectors.authorityCases)).toEqual([])
    },
  )

  test.skipIf(isMissing(verifier))('believes no seal whose certificate may be revoked, where it is asked', async () => {
    expect(await differences(verifier, vectors.revocationCases)).toEqual([])
  })
})

describe('the judges among themselves', () => {
  /** Every text that differs from a genuine one in a single member: removed or changed. */
  function* changedOnce(name: string): Iterable<string> {
    const values = [null, '', 'x', 1, [], {}]
    const document = JSON.parse(vectors.documents[name] as string)
    function* walk(place: Record<string, unknown>): Iterable<string> {
      for (const [member, value] of Object.entries(place)) {
        delete place[member]
        yield JSON.stringify(document)
        for (const other of values) {
          place[member] = other
          yield JSON.stringify(document)
        }
        place[member] = value
        if (typeof value === 'object' && value !== null) yield* walk(value as Record<string, unknown>)
      }
    }
    yield* walk(document)
  }

  test.skipIf(!hasPython)(
    'agree about every change of a single member',
    async () => {
      const document = 'battery, public'
      const genuine = vectors.documents[document] as string
      const texts = [...changedOnce(document)]
      expect(texts.length).toBeGreaterThan(300)
      const questions = texts.map((text, at) =>
        questionOf({ name: `change ${at}`, document, replace: [[genuine, text]], verdict: 'not valid' }),
      )
      const results = await Promise.all(Object.values(verifiers).map((verifier) => verifier(questions)))
      const lines = texts.flatMap((text, at) => {
        const answers = results.map((answers) => answers[at] as Answer)
        // The gateway may reject documents that contradict its register.
        const compared = answers.filter(({ reason }) => !reason.includes('is not sealed and differs from the register'))
        const isOne = new Set(compared.map(({ verdict }) => verdict)).size === 1
        return isOne ? [] : [`${JSON.stringify(answers)} ${text}`]
      })
      expect(lines).toEqual([])
    },
    120_000,
  )
})

describe('the vector file', () => {
  test('is what seal-cases.mjs prints, but for keys and signatures', () => {
    const printed = JSON.parse(execFileSync(process.execPath, [CASES], { encoding: 'utf8', maxBuffer: 2 ** 26 }))
    const file = JSON.parse(readFileSync(VECTORS, 'utf8'))
    expect(Object.keys(printed)).toEqual(Object.keys(file))
    expect([printed.about, printed.vectors, printed.forgery]).toEqual([file.about, file.vectors, file.forgery])
    expect(Object.keys(printed.documents)).toEqual(Object.keys(file.documents))
    for (const list of ['cases', 'registerCases', 'authorityCases', 'revocationCases']) {
      const summaryOf = (cases: Case[]) =>
        cases.map(({ name, finding, document, trust, verdict, why }) => [name, finding, document, trust, verdict, why])
      expect(summaryOf(printed[list])).toEqual(summaryOf(file[list]))
    }
    const seeds = (from: typeof file) =>
      from.made.map(({ publicKeyPem, signature, x5c, ...seed }: Record<string, unknown>) => seed)
    expect(seeds(printed)).toEqual(seeds(file))
  })

  test('has cases of every finding, and valid look-alikes for what is refused', () => {
    const names = everyCase.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    const count = (isCounted: (one: Case) => boolean) => vectors.cases.filter(isCounted).length
    expect(vectors.cases.length).toBeGreaterThanOrEqual(140)
    for (const finding of ['H5', 'H6', 'M1', 'L1', 'L2']) {
      expect(
        count((one) => one.finding === finding && one.verdict === 'not valid'),
        finding,
      ).toBeGreaterThanOrEqual(4)
    }
    for (const verdict of ['valid', 'undecided']) {
      expect(
        count((one) => one.verdict === verdict),
        verdict,
      ).toBeGreaterThanOrEqual(20)
    }
  })
})

describe.skipIf(!hasPython)('verify_seal.py', () => {
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const small = vectors.documents.small as string

  test('ends with 0, 1, 4, 2 or 3, and says what is not sealed', () => {
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('python3', [PYTHON, ...args], { encoding: 'utf8' })
      return { status, output: stdout + stderr }
    }
    const ca = file('ca.pem', vectors.sealCa)
    const genuine = file('genuine.json', small)
    const valid = run(genuine, ca)
    expect([valid.status, valid.output]).toEqual([0, expect.stringMatching(/valid.*Nordlicht Energie GmbH/)])
    expect(valid.output).toMatch(/not sealed: status/i)
    const open = run(genuine)
    expect([open.status, open.output]).toEqual([4, expect.stringMatching(/owner is unknown/)])
    expect(open.output).not.toContain('Nordlicht')
    const steering = run(file('steering.json', small.replace('"updatedAt"', '"\\u001b[2J\\u202e":1,"updatedAt"')), ca)
    expect([steering.status, ['\u001b', '\u202e'].some((one) => steering.output.includes(one))]).toEqual([1, false])
    const changed = run(file('changed.json', small.replaceAll('"PT"', '"FR"')), ca)
    expect([changed.status, changed.output]).toEqual([1, expect.stringMatching(/^not valid: .*merkleRoot/m)])
    for (const [label, content] of Object.entries({
      'no JSON': 'Hello',
      'no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      'too large': ' '.repeat(3_145_729),
    })) {
      expect(run(file('unreadable.json', content), ca).status, label).toBe(3)
    }
    expect(run(join(folder, 'absent.json')).status).toBe(3)
    expect(run(genuine, join(folder, 'absent.pem')).status).toBe(3)
    expect(run(genuine, genuine)).toEqual({
      status: 2,
      output: expect.stringContaining('must contain 1 to 8 certificates in PEM'),
    })
    const lists = (one: string) =>
      (vectors.revocationCases.find(({ name }) => name === one)?.lists ?? []).map((list, at) =>
        file(`${at}.crl`, Buffer.from(list, 'base64')),
      )
    expect(run(genuine, ca, ...lists('a list with nobody on it')).status).toBe(0)
    expect(run(genuine, ca, ...lists('revoked a day before the seal'))).toEqual({
      status: 1,
      output: expect.stringContaining('revoked'),
    })
    expect(run(genuine, ca, ca)).toEqual({
      status: 4,
      output: expect.stringContaining('no certificate revocation list'),
    })
    expect(run(genuine, ca, ...Array.from({ length: 9 }, () => ca)).status).toBe(2)
  })

  test('rebuilds every root, and exits with 2 without arguments', () => {
    const printed = execFileSync('python3', [PYTHON, '--roots', VECTORS], { encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual(vectors.vectors.map(({ root }) => root))
    expect(spawnSync('python3', [PYTHON]).status).toBe(2)
  })
})
