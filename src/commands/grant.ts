import { type Commands, printable, required, text, UsageError, word } from './command.ts'

/** Access grants. */
export const GRANT_COMMANDS: Commands = {
  'grant list': {
    summary: 'List the access grants and requests of a workspace; at most 1000, newest first of each status',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'The workspace' },
      status: { value: 'STATUS', meaning: 'Only those', values: ['PENDING', 'ACTIVE', 'DENIED', 'REVOKED'] },
    },
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
    summary: 'Approve a request for access; the link is shown this once, and mailed where SMTP_URL is set',
    words: ['ID'],
    options: { expires: { value: 'ISO', needed: true, meaning: 'Until when it holds, at most 366 days ahead' } },
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
    summary: 'Decline a request for access',
    words: ['ID'],
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
    summary: 'End at once every grant of a workspace, of a passport, or of a grantee; those of authorities too',
    options: {
      all: { meaning: 'Every grant that is meant by the options beside it; must be said' },
      workspace: { value: 'ID', meaning: 'Those of a workspace' },
      passport: { value: 'ID', meaning: 'Those of a passport' },
      grantee: { value: 'EMAIL|IDENTIFIER', meaning: 'Those of a grantee' },
    },
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
    summary: 'Mint a token that shows an authority the restricted values; it is shown this once',
    options: {
      scope: { value: 'SCOPE', needed: true, meaning: 'What it opens', values: ['PASSPORT', 'UNIT', 'TENANT'] },
      target: { value: 'ID', needed: true, meaning: 'The passport, the battery unit or the workspace' },
      expires: { value: 'ISO', needed: true, meaning: 'Until when it holds' },
      name: { value: 'NAME', meaning: 'Which authority it is' },
      'actor-kind': { value: 'KIND', meaning: 'What kind of actor it is, as the contract names them (ActorKind)' },
      'identifier-scheme': { value: 'SCHEME', meaning: 'Who has given it its number (IdentifierScheme)' },
      identifier: { value: 'NUMBER', meaning: 'The number under which the scheme knows it' },
    },
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
