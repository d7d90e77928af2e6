import { PERMISSIONS, ROLES } from '../domain/permissions.ts'
import { type Commands, EXIT, printable, required, text, toIso, word } from './command.ts'

export const CREDENTIAL_COMMANDS: Commands = {
  'key create': {
    summary: 'Create an API key, shown only once',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'Workspace of the key' },
      role: { value: 'ROLE', needed: true, meaning: 'Role', values: Object.keys(ROLES) },
      permissions: {
        value: 'LIST',
        meaning: 'Permissions of the role to include, separated by commas',
        default: 'all',
      },
      operator: { value: 'ID', meaning: 'Economic operator to which the key is limited', default: 'any' },
      expires: { value: 'ISO', meaning: 'Expiry time', default: 'never' },
      name: { value: 'NAME', meaning: 'Name of the key' },
    },
    notes: [`Permissions: ${PERMISSIONS.join(', ')}.`],
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
      return { json: created, lines: [`Key ${created.id}, shown only once:`, created.key] }
    },
  },
  'key list': {
    summary: 'List API keys, without their secrets',
    async run({ open }) {
      const keys = await (await open()).cradle.workspaces.listKeys()
      return {
        json: { keys },
        table: {
          headings: ['ID', 'ROLE', 'WORKSPACE', 'NAME', 'STATE'],
          rows: keys.map(({ id, role, workspace, name, revokedAt, expiresAt }) =>
            [id, role, workspace, name ?? '', stateOf(revokedAt, expiresAt)].map((cell) => printable(String(cell))),
          ),
        },
      }
    },
  },
  'key revoke': {
    summary: 'Revoke an API key, with effect in every process',
    words: ['ID'],
    async run({ words, open }) {
      const revoked = await (await open()).cradle.workspaces.revokeKey(word(words, 'ID'))
      return { json: revoked, lines: [`Key ${revoked.id} is revoked.`] }
    },
  },
  'key rewrap': {
    summary: 'Re-encrypt data from MASTER_KEY_PREVIOUS to MASTER_KEY',
    notes: [
      'Gateways keep running. Before: restart each with both keys. Afterwards: restart each without MASTER_KEY_PREVIOUS.',
      'Re-encrypts keys of workspaces, sessions and seal CA, webhook secrets and queued messages; sets the passwords of database roles.',
      'Safe to repeat. Exit code 1 if neither key decrypts a secret. Existing backups stay encrypted with the previous key.',
    ],
    async run({ config, tell }) {
      const { rewrap } = await import('../start/rewrap.ts')
      const report = await rewrap(await config(), tell)
      const kinds = [report.signingKeys, report.webhookSecrets, ...Object.values(report.modules)]
      const [count, unreadable] = [sumOf(kinds, 'count'), sumOf(kinds, 'shut')]
      const verdict =
        unreadable === 0
          ? `All ${count} secrets are encrypted with MASTER_KEY. Restart the gateways without MASTER_KEY_PREVIOUS, but store it for existing backups.`
          : `Neither key decrypts ${unreadable} of ${count} secrets: dpp verify-all lists the signing keys. All others are encrypted with MASTER_KEY.`
      return { json: report, lines: [verdict], exitCode: unreadable === 0 ? 0 : EXIT.no }
    },
  },
  'session create': {
    summary: 'Create a console session of at most 12 hours',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'Workspace of the session' },
      user: { value: 'NAME', needed: true, meaning: 'User' },
      role: { value: 'ROLE', needed: true, meaning: 'Role', values: Object.keys(ROLES) },
      mfa: { meaning: 'Mark the session as authenticated with a second factor' },
    },
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

const sumOf = (kinds: readonly Readonly<Record<'count' | 'shut', number>>[], name: 'count' | 'shut') =>
  kinds.reduce((sum, each) => sum + each[name], 0)

function stateOf(revokedAt: unknown, expiresAt: unknown): string {
  if (revokedAt) return 'revoked'
  return expiresAt ? `expires ${toIso(expiresAt)}` : ''
}
