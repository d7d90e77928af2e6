import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { referenceTool } from './reference-tools.ts'

/** Behaviour of the authority: honest, failing or lying. */
export type Mode = 'honest' | keyof typeof LIES | keyof typeof FAILURES

/** An RFC 3161 authority: `openssl ts -reply` behind HTTP. */
export interface TimestampAuthorityDouble {
  readonly url: string
  readonly caFile: string
  mode: Mode
  readonly requests: number
  token(query: Buffer, mode?: Mode | 'unaltered' | 'below' | SignedAt): Promise<Buffer>
  close(): Promise<void>
}

export const hasOpenssl = referenceTool('openssl') !== undefined

interface SignedAt {
  readonly signer: keyof typeof SIGNERS
  readonly time: Date
}

interface Lie {
  readonly signer?: keyof typeof SIGNERS
  /** Changes the token's content. */
  alter?(info: Buffer, query: Buffer, folder: string): void
  readonly options?: readonly string[]
}

const FOR_TIME_STAMPING = 'extendedKeyUsage=critical,timeStamping'
const SIGNERS = {
  tsa: { extension: FOR_TIME_STAMPING, ca: 'ca', days: 30 },
  plain: { extension: 'keyUsage=critical,digitalSignature', ca: 'ca', days: 30 },
  further: { extension: 'extendedKeyUsage=critical,timeStamping,codeSigning', ca: 'ca', days: 30 },
  uncritical: { extension: 'extendedKeyUsage=timeStamping', ca: 'ca', days: 30 },
  stranger: { extension: FOR_TIME_STAMPING, ca: 'other', days: 30 },
  // Valid only for the second of its creation.
  expired: { extension: FOR_TIME_STAMPING, ca: 'ca', days: 0 },
  // Issued by an authority with pathLenConstraint 0, and by one below it.
  below: { extension: FOR_TIME_STAMPING, ca: 'mid', days: 30 },
  deep: { extension: FOR_TIME_STAMPING, ca: 'sub', days: 30 },
}
/** Root authorities: a trusted and an untrusted one. */
const ROOTS = ['ca', 'other']
/** Authorities below the trusted one, from top to bottom. */
const INTERMEDIATES = [
  { name: 'mid', ca: 'ca', constraints: 'critical,CA:TRUE,pathlen:0' },
  { name: 'sub', ca: 'mid', constraints: 'critical,CA:TRUE' },
]

/** An honest token through the forging code, as control for the lies below. */
const UNALTERED = {} satisfies Lie
/** The same by a signer below an intermediate authority. */
const BELOW = { signer: 'below', options: ['-certfile', 'chain.pem'] } satisfies Lie

/** Signed tokens that no verifier may accept. */
const LIES = {
  'another imprint': { alter: (info, query) => flip(info, imprintOf(query)) },
  'another nonce': { alter: (info, query) => flip(info, query.subarray(-11, -3)) },
  'an hour late': { alter: (info) => setTime(info, new Date(Date.now() - 3_600_000)) },
  'an hour early': { alter: (info) => setTime(info, new Date(Date.now() + 3_600_000)) },
  'signer without the purpose': { signer: 'plain' },
  'signer with further purposes': { signer: 'further' },
  'signer whose purpose is not critical': { signer: 'uncritical' },
  'signer of another authority': { signer: 'stranger' },
  'expired signer': { signer: 'expired', alter: (info) => setTime(info, new Date(Date.now() + 60_000)) },
  'signer below an authority too many': { signer: 'deep', options: ['-certfile', 'chain.pem'] },
  'no certificate': { options: ['-nocerts'] },
  'no name of the certificate': { options: ['without cades'] },
} satisfies Record<string, Lie>

const FAILURES = {
  'broken signature': async (res: ServerResponse, reply: () => Promise<Buffer>) => {
    const bytes = await reply()
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
    res.end(bytes)
  },
  rejection: (res: ServerResponse) => res.end(Buffer.from('30053003020102', 'hex')),
  'granted without a token': (res: ServerResponse) => res.end(Buffer.from('30053003020100', 'hex')),
  garbage: (res: ServerResponse) => res.end('<html>Welcome</html>'),
  nothing: (res: ServerResponse) => res.end(),
  'trailing bytes': async (res: ServerResponse, reply: () => Promise<Buffer>) =>
    res.end(Buffer.concat([await reply(), Buffer.from([0])])),
  'status 500': (res: ServerResponse) => res.writeHead(500).end('no'),
  'ten megabytes': (res: ServerResponse) => res.end(Buffer.alloc(10_000_000, 0x30)),
  'a redirect': (res: ServerResponse) => res.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end(),
  'a reset': (res: ServerResponse) => res.destroy(),
  hanging: () => {},
  'a trickle': (res: ServerResponse) => {
    res.write(Buffer.from([0x30]))
  },
}

/** Modes that take the full timeout of a seal. */
export const SLOW_MODES: readonly Mode[] = ['hanging', 'a trickle']
export const QUICK_MODES = [...Object.keys(LIES), ...Object.keys(FAILURES)].filter(
  (mode) => !(SLOW_MODES as string[]).includes(mode),
) as Mode[]
export const LYING_MODES = Object.keys(LIES) as Mode[]

/** Creates the authority, its certificates and those of the impostors, and listens on a random port. */
export async function startTimestampAuthority(): Promise<TimestampAuthorityDouble> {
  const folder = mkdtempSync(join(tmpdir(), 'dpp-tsa-'))
  await makeCertificates(folder)
  const state = { mode: 'honest' as Mode, requests: 0 }
  const token = (query: Buffer, mode: Mode | 'unaltered' | 'below' | SignedAt = state.mode) => {
    if (typeof mode === 'object') {
      return lyingToken(folder, query, { signer: mode.signer, alter: (info) => setTime(info, mode.time) })
    }
    if (mode === 'unaltered' || mode === 'below') {
      return lyingToken(folder, query, mode === 'below' ? BELOW : UNALTERED)
    }
    return mode in LIES ? lyingToken(folder, query, LIES[mode as keyof typeof LIES]) : honestToken(folder, query)
  }
  const server = createServer(async (req, res) => {
    state.requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const query = Buffer.concat(chunks)
    const { mode } = state
    const reply = async () => granted(await token(query, mode))
    res.setHeader('Content-Type', 'application/timestamp-reply')
    if (mode in FAILURES) await FAILURES[mode as keyof typeof FAILURES](res, reply)
    else res.end(await reply())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`,
    caFile: join(folder, 'ca.pem'),
    token,
    get mode() {
      return state.mode
    },
    set mode(mode) {
      state.mode = mode
    },
    get requests() {
      return state.requests
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function makeCertificates(folder: string): Promise<void> {
  const key = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    `${name}.key`,
  ]
  const names = [...INTERMEDIATES.map(({ name }) => name), ...Object.keys(SIGNERS)]
  // Sequential processes would take seconds on a busy machine.
  await Promise.all([
    ...ROOTS.map((ca) =>
      openssl(folder, [
        ...['req', '-x509', ...key(ca), '-days', '30', '-out', `${ca}.pem`, '-subj', `/CN=${ca}`],
        ...['-addext', 'keyUsage=critical,keyCertSign'],
      ]),
    ),
    ...names.map((name) => openssl(folder, ['req', ...key(name), '-out', `${name}.csr`, '-subj', `/CN=${name}`])),
  ])
  const issue = async (name: string, ca: string, days: number, extensions: string) => {
    writeFileSync(join(folder, `${name}.ext`), extensions)
    await openssl(folder, [
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', `${ca}.pem`, '-CAkey', `${ca}.key`],
      ...['-CAserial', `${name}.srl`, '-CAcreateserial'],
      ...['-extfile', `${name}.ext`, '-days', String(days), '-out', `${name}.pem`],
    ])
  }
  const issueBelow = async (issuer: string): Promise<void> => {
    const authorities = INTERMEDIATES.filter(({ ca }) => ca === issuer).map(async ({ name, ca, constraints }) => {
      await issue(name, ca, 30, `basicConstraints=${constraints}\nkeyUsage=critical,keyCertSign\n`)
      await issueBelow(name)
    })
    const signers = Object.entries(SIGNERS)
      .filter(([, { ca }]) => ca === issuer)
      .map(([name, { extension, ca, days }]) =>
        issue(name, ca, days, `basicConstraints=critical,CA:FALSE\n${extension}\n`),
      )
    await Promise.all([...authorities, ...signers])
  }
  await Promise.all(ROOTS.map(issueBelow))
  const chain = INTERMEDIATES.map(({ name }) => readFileSync(join(folder, `${name}.pem`), 'utf8'))
  writeFileSync(join(folder, 'chain.pem'), chain.join(''))
  writeFileSync(
    join(folder, 'tsa.cnf'),
    `[tsa]\ndefault_tsa = config\n[config]\nserial = serial\nsigner_digest = sha256\ndefault_policy = 1.2.3.4.1\n` +
      `digests = sha256\ness_cert_id_alg = sha256\n`,
  )
  writeFileSync(join(folder, 'serial'), '01\n')
}

let calls = 0

async function honestToken(folder: string, query: Buffer): Promise<Buffer> {
  calls += 1
  const [queryFile, tokenFile] = [join(folder, `${calls}.tsq`), join(folder, `${calls}.tst`)]
  writeFileSync(queryFile, query)
  await openssl(folder, [
    ...['ts', '-reply', '-config', 'tsa.cnf', '-queryfile', queryFile, '-signer', 'tsa.pem', '-inkey', 'tsa.key'],
    ...['-token_out', '-out', tokenFile],
  ])
  return readFileSync(tokenFile)
}

/** Forges a token that `openssl ts -reply` cannot make: honest content, altered and signed by the given signer. */
async function lyingToken(
  folder: string,
  query: Buffer,
  { signer = 'tsa', alter, options = [] }: Lie,
): Promise<Buffer> {
  const honest = await honestToken(folder, query)
  calls += 1
  const name = join(folder, String(calls))
  writeFileSync(`${name}.honest`, honest)
  await openssl(folder, [
    'cms',
    '-verify',
    '-noverify',
    '-inform',
    'DER',
    '-in',
    `${name}.honest`,
    '-out',
    `${name}.info`,
  ])
  const info = readFileSync(`${name}.info`)
  alter?.(info, query, folder)
  writeFileSync(`${name}.info`, info)
  const cades = options.includes('without cades') ? [] : ['-cades']
  await openssl(folder, [
    ...[
      'cms',
      '-sign',
      '-binary',
      '-nodetach',
      ...cades,
      '-md',
      'sha256',
      '-econtent_type',
      '1.2.840.113549.1.9.16.1.4',
    ],
    ...['-signer', `${signer}.pem`, '-inkey', `${signer}.key`, '-in', `${name}.info`, '-outform', 'DER'],
    ...['-out', `${name}.token`, ...options.filter((option) => option !== 'without cades')],
  ])
  return readFileSync(`${name}.token`)
}

const openssl = async (folder: string, args: readonly string[]): Promise<unknown> =>
  promisify(execFile)('openssl', args, { cwd: folder })

/** TimeStampResp: granted, and the token. */
function granted(token: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('3003020100', 'hex'), token])
  return Buffer.concat([Buffer.from([0x30, 0x82, content.length >> 8, content.length & 255]), content])
}

// TimeStampReq of a SHA-256: version, imprint, nonce of 8 bytes, certReq.
const imprintOf = (query: Buffer) => query.subarray(query.indexOf(Buffer.from('0420', 'hex')) + 2).subarray(0, 32)

function flip(info: Buffer, part: Buffer): void {
  const at = info.indexOf(part)
  if (at < 0) throw new Error('The token has no such part.')
  // The last byte: a leading zero would be invalid DER.
  const last = at + part.length - 1
  info[last] = (info[last] as number) ^ 1
}

function setTime(info: Buffer, time: Date): void {
  const at = info.indexOf(Buffer.from([0x18, 0x0f]))
  if (at < 0) throw new Error('The token has no such time.')
  info.write(`${time.toISOString().replace(/\D/g, '').slice(0, 14)}Z`, at + 2, 'ascii')
}

export const beginOf = (caFile: string, signer: string) =>
  new Date(new X509Certificate(readFileSync(join(caFile, '..', `${signer}.pem`))).validFrom)
