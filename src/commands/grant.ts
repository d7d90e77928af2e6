import { type Commands, printable, required, text, UsageError, word } from './command.ts'

/** Access grants. */
export const GRANT_COMMANDS: Commands = {
  'grant list': {
    usage: '--workspace ID [--status PENDING|ACTIVE|DENIED|REVOKED]',
    summary: 'List the access grants and requests of a workspace; at most 1000, newest first of each status',
    options: ['workspace', 'status'],
    async run({ options, open }) {
      const grants = await (await open()).cradle.grants.listAll(required(options, 'workspace'), text(options, 'status'))
      return {
        json: { grants },
        lines: grants.flatMap(({ id, status, granteeName, granteeEmail, organization, purpose, ...grant }) => [
          [
            ...[id, status.padEnd(7), grant.createdAt, granteeName, granteeEmail ?? '', organization ?? ''],
            ...[grant.actorKind ?? '', grant.identifierScheme ?? '', grant.identifier ?? ''],
          ]
            .map(printable)
            .join('  ')
            .trimEnd(),
          ...(purpose === null ? [] : [`    ${printable(purpose)}`]),
        ]),
      }
    },
  },
  'grant approve': {
    usage: 'ID --expires ISO',
    summary: 'Approve a request for access; the link is shown this once, and mailed where SMTP_URL is set',
    options: ['expires'],
    words: 1,
    async run({ words, options, open }) {
      const id = word(words, 'ID')
      const expiresAt = required(options, 'expires')
      const { cradle } = await open()
      const by = await cradle.grants.platformFor(id)
      await cradle.boss.start()
      const { grant, token, url } = await cradle.grants.approve(by, id, { expiresAt })
      const isMailed = cradle.mails.isOn
      return {
        json: { id: grant.id, status: grant.status, expiresAt: grant.expiresAt, token, url, isMailed },
        lines: [
          `Grant ${grant.id} holds until ${grant.expiresAt}. ${isMailed ? 'Its link is mailed to whoever asked' : 'Its link, for whoever asked'}, shown this once:`,
          url,
        ],
      }
    },
  },
  'grant deny': {
    usage: 'ID',
    summary: 'Decline a request for access',
    words: 1,
    async run({ words, open }) {
      const id = word(words, 'ID')
      const { cradle } = await open()
      const by = await cradle.grants.platformFor(id)
      await cradle.boss.start()
      const { status } = await cradle.grants.deny(by, id)
      return { json: { id, status }, lines: [`Request ${id} is declined.`] }
    },
  },
  'grant revoke': {
    usage: '--all [--workspace ID] [--passport ID] [--grantee EMAIL|IDENTIFIER]',
    summary: 'End at once every grant of a workspace, of a passport, or of a grantee; those of authorities too',
    options: ['workspace', 'passport', 'grantee'],
    flags: ['all'],
    async run({ options, open }) {
      if (options.all !== true) throw new UsageError('grant revoke ends every grant that is meant: say --all.')
      const { revoked } = await (await open()).cradle.grants.revokeAll({
        workspace: text(options, 'workspace'),
        passport: text(options, 'passport'),
        grantee: text(options, 'grantee'),
      })
      return { json: { revoked }, lines: [`Grants that have ended: ${revoked}.`] }
    },
  },
  'grant authority': {
    usage:
      '--scope PASSPORT|UNIT|TENANT --target ID --expires ISO [--name N --actor-kind K --identifier-scheme S --identifier I]',
    summary: 'Mint a token that shows an authority the restricted values; it is shown this once',
    options: ['scope', 'target', 'expires', 'name', 'actor-kind', 'identifier-scheme', 'identifier'],
    async run({ options, open }) {
      const minted = await (await open()).cradle.grants.issueAuthority({
        scope: required(options, 'scope'),
        target: required(options, 'target'),
        expires: required(options, 'expires'),
        name: text(options, 'name'),
        actorKind: text(options, 'actor-kind'),
        identifierScheme: text(options, 'identifier-scheme'),
        identifier: text(options, 'identifier'),
      })
      return { json: minted, lines: [`Grant ${minted.id}, its token shown this once:`, minted.token] }
    },
  },
}
