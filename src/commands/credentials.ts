import { type Commands, required, text, toIso, word } from './command.ts'

/** API keys and console sessions. */
export const CREDENTIAL_COMMANDS: Commands = {
  'key create': {
    usage: '--workspace ID --role R [--permissions a,b --operator ID --expires ISO --name n]',
    summary: 'Create an API key; it is shown this once',
    options: ['workspace', 'role', 'permissions', 'operator', 'expires', 'name'],
    async run({ options, open }) {
      const permissions = text(options, 'permissions')
      const created = await (await open()).cradle.workspaces.createKey({
        workspaceId: required(options, 'workspace'),
        role: required(options, 'role'),
        permissions: permissions
          ?.split(',')
          .map((permission) => permission.trim())
          .filter((permission) => permission !== ''),
        operatorId: text(options, 'operator'),
        expiresAt: text(options, 'expires'),
        name: text(options, 'name'),
      })
      return { json: created, lines: [`Key ${created.id}, shown this once:`, created.key] }
    },
  },
  'key list': {
    usage: '',
    summary: 'List API keys, without their secrets',
    async run({ open }) {
      const keys = await (await open()).cradle.workspaces.listKeys()
      return {
        json: { keys },
        lines: keys.map(({ id, role, workspace, name, revokedAt, expiresAt }) =>
          [id, role, workspace, name ?? '', stateOf(revokedAt, expiresAt)].join('  ').trimEnd(),
        ),
      }
    },
  },
  'key revoke': {
    usage: 'ID',
    summary: 'Revoke an API key, at once and in every process',
    words: 1,
    async run({ words, open }) {
      const revoked = await (await open()).cradle.workspaces.revokeKey(word(words, 'ID'))
      return { json: revoked, lines: [`Key ${revoked.id} is revoked.`] }
    },
  },
  'session create': {
    usage: '--workspace ID --user U --role R [--mfa]',
    summary: 'Create a console session of at most 12 hours',
    options: ['workspace', 'user', 'role'],
    flags: ['mfa'],
    async run({ options, open }) {
      const session = await (await open()).cradle.workspaces.createSession({
        workspaceId: required(options, 'workspace'),
        user: required(options, 'user'),
        role: required(options, 'role'),
        mfa: options.mfa === true,
      })
      return {
        json: session,
        lines: [`Token: ${session.token}`, `Cookie: ${session.cookie}`, `X-CSRF-Token: ${session.csrf}`],
      }
    },
  },
}

function stateOf(revokedAt: unknown, expiresAt: unknown): string {
  if (revokedAt) return 'revoked'
  return expiresAt ? `expires ${toIso(expiresAt)}` : ''
}
