import {
  type CommandInput,
  type Commands,
  clientOf,
  DppError,
  EXIT,
  printable,
  profilesFile,
  REMOTE_OPTIONS,
  readProfiles,
  remoteOf,
  required,
  text,
  UsageError,
} from '../../../../src/plugin/command.ts'
import { writeProfiles } from '../write-profiles.ts'

export default {
  login: {
    summary: 'Store the address and API key of a gateway',
    options: {
      url: { value: 'URL', needed: true, meaning: 'Address of the gateway, such as https://passports.example.com' },
      profile: { value: 'NAME', meaning: 'Name of the login', default: 'default' },
      'allow-http': { meaning: 'Allow http, which sends the key unencrypted' },
    },
    notes: [
      'Type the key, or pass it on standard input: dpp login --url URL < key.txt. It is not an argument, because other users',
      'could read it. It is stored in dpp/profiles.json in XDG_CONFIG_HOME (~/.config), readable by you only.',
    ],
    async run({ options, env }) {
      const url = addressOf(required(options, 'url'), options['allow-http'] === true)
      const profile = text(options, 'profile') ?? 'default'
      const stored = readProfiles(env)
      const key = await readKey(url)
      const identity = await clientOf(url, key, env).whoami()
      writeProfiles(env, { current: profile, profiles: new Map(stored.profiles).set(profile, { url, key }) })
      return {
        json: { profile, url, tenant: identity.tenant, role: identity.auth.role },
        lines: [
          `Logged in at ${url} as ${printable(identity.auth.role)} of ${printable(identity.tenant.name)}. Stored as "${profile}".`,
        ],
      }
    },
  },
  logout: {
    summary: 'Delete a stored login; its key stays valid',
    options: { profile: { value: 'NAME', meaning: 'Name of the login', default: 'the last one' } },
    async run({ options, env }) {
      const { current, profiles } = readProfiles(env)
      const profile = text(options, 'profile') ?? current
      if (profile === undefined || !profiles.has(profile)) {
        throw new UsageError(
          `No login${profile === undefined ? '' : ` "${profile}"`} in ${profilesFile(env)}. Run: dpp login --url URL`,
        )
      }
      const left = new Map(profiles)
      left.delete(profile)
      writeProfiles(env, { current: current === profile ? left.keys().next().value : current, profiles: left })
      return { json: { profile }, lines: [`Login "${profile}" is deleted. Its key stays valid until it is revoked.`] }
    },
  },
  whoami: {
    summary: 'Show gateway, workspace, role and permissions of the login',
    options: REMOTE_OPTIONS,
    run: whoami,
  },
} satisfies Commands

async function whoami({ options, env }: CommandInput) {
  const { dpp, url, profile } = remoteOf(options, env)
  try {
    const { tenant, auth, usage } = await dpp.whoami()
    return {
      json: { url, profile, tenant, auth, usage },
      lines: [
        `${url}${profile === undefined ? '' : ` (${profile})`}`,
        `Workspace    ${printable(tenant.name)}, ${tenant.id}`,
        `Plan         ${printable(tenant.tier)}, ${usage.activePassports} of ${usage.passportLimit ?? 'unlimited'} passports`,
        `Role         ${printable(auth.role)}`,
        `Permissions  ${printable(auth.permissions.join(', '))}`,
      ],
    }
  } catch (error) {
    if (!(error instanceof DppError) || error.status !== 401) throw error
    const why = `${url} rejects this key: ${error.message}`
    return { json: { url, profile, error: error.message, status: error.status }, lines: [why], exitCode: EXIT.no }
  }
}

/** @throws UsageError for an address that must not receive a key */
function addressOf(given: string, allowHttp: boolean): string {
  if (!URL.canParse(given)) throw new UsageError(`--url must be an address such as https://passports.example.com.`)
  const { protocol, hostname, origin, pathname } = new URL(given)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && !isHere && !allowHttp) {
    throw new UsageError('--url must be https, because http sends the key unencrypted. To allow it: --allow-http.')
  }
  return `${origin}${pathname}`.replace(/\/$/, '')
}

const MAX_KEY_CHARACTERS = 4096

/** @throws UsageError if empty */
async function readKey(url: string): Promise<string> {
  const key = (process.stdin.isTTY ? await readHidden(`API key for ${url}: `) : await readLine()).trim()
  if (key === '')
    throw new UsageError('The key is missing. Type it, or pass it on standard input: dpp login --url URL < key.txt')
  if (key.length > MAX_KEY_CHARACTERS || !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(`Invalid API key: expected at most ${MAX_KEY_CHARACTERS} ASCII characters without spaces.`)
  return key
}

async function readLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n') || text.length > MAX_KEY_CHARACTERS) break
  }
  return text.split('\n', 1)[0] ?? ''
}

function readHidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  // Before the prompt, so that fast input is not shown.
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stderr.write(prompt)
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (settle: () => void) => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      settle()
    }
    const take = (chunk: string) => {
      for (const letter of chunk) {
        if (letter === '\r' || letter === '\n' || letter === '\u0004') return end(() => resolve(typed))
        if (letter === '\u0003') return end(() => reject(new UsageError('Nothing was stored.')))
        const isBack = letter === '\u007f' || letter === '\b'
        typed = isBack ? typed.slice(0, -1) : typed.length > MAX_KEY_CHARACTERS ? typed : typed + letter
      }
    }
    stdin.on('data', take)
  })
}
