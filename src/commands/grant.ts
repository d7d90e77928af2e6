import { type Commands, required, text, UsageError } from './command.ts'
import { remote, remoteList } from './remote-call.ts'

const EXPIRES = {
  value: 'ISO',
  needed: true,
  meaning: 'End of access, at most 366 days ahead',
  fills: 'body.expiresAt',
} as const

export const GRANT_COMMANDS: Commands = {
  'grant list': remoteList('listGrants', {
    summary: 'List access grants and requests, by status and then newest first',
    name: 'grants',
    filters: {
      status: { value: 'STATUS', meaning: 'Only this status', values: ['PENDING', 'ACTIVE', 'DENIED', 'REVOKED'] },
    },
    keep: ({ status }, options) => options.status === undefined || options.status === status,
    columns: {
      ID: ({ id }) => id,
      STATUS: ({ status }) => status,
      CREATED: ({ createdAt }) => createdAt,
      EXPIRES: ({ expiresAt }) => expiresAt,
      NAME: ({ granteeName }) => granteeName,
      EMAIL: ({ granteeEmail }) => granteeEmail,
      ORGANIZATION: ({ organization }) => organization,
      KIND: ({ actorKind }) => actorKind,
      PURPOSE: ({ purpose }) => purpose,
    },
  }),
  'grant create': remote('issueGrant', {
    summary: 'Grant access to restricted values; the token is shown this once',
    options: {
      name: { value: 'NAME', needed: true, meaning: 'Grantee', fills: 'body.granteeName' },
      scope: {
        value: 'SCOPE',
        needed: true,
        meaning: 'What it opens',
        values: ['PASSPORT', 'UNIT', 'TENANT'],
        fills: 'body.scopeType',
      },
      expires: EXPIRES,
      passport: { value: 'ID', meaning: 'Passport, for the scope PASSPORT', fills: 'body.passportId' },
      unit: { value: 'ID', meaning: 'Battery unit, for the scope UNIT', fills: 'body.batteryUnitId' },
      email: { value: 'ADDRESS', meaning: 'E-mail address of the grantee', fills: 'body.granteeEmail' },
      organization: { value: 'NAME', meaning: 'Organization of the grantee', fills: 'body.organization' },
      purpose: { value: 'TEXT', meaning: 'Purpose', fills: 'body.purpose' },
    },
    show: ({ grant, token }) => ({
      json: { grant, token },
      lines: [`Grant ${grant.id}, its token shown this once:`, token],
    }),
  }),
  'grant approve': remote('approveGrant', {
    summary: 'Approve a request for access; the link is shown this once',
    words: { ID: 'id' },
    options: { expires: EXPIRES },
    notes: ['If the gateway sends e-mail, it sends the link to the requester.'],
    show: ({ grant, token, url }) => ({
      json: { grant, token, url },
      lines: [`Grant ${grant.id} is valid until ${grant.expiresAt}. Link for the requester, shown this once:`, url],
    }),
  }),
  'grant deny': remote('denyGrant', {
    summary: 'Deny a request for access',
    words: { ID: 'id' },
    show: ({ grant }) => ({ json: grant, lines: [`Request ${grant.id} is denied.`] }),
  }),
  'grant renew': remote('renewGrant', {
    summary: 'Set another end of a grant; its token stays',
    words: { ID: 'id' },
    options: { expires: EXPIRES },
    show: ({ grant }) => ({ json: grant, lines: [`Grant ${grant.id} is valid until ${grant.expiresAt}.`] }),
  }),
  'grant revoke': remote('revokeGrant', {
    summary: 'Revoke a grant, with effect in every process',
    words: { ID: 'id' },
    show: ({ grant }) => ({ json: grant, lines: [`Grant ${grant.id} is revoked.`] }),
  }),
  'grant revoke-all': {
    summary: 'Revoke every grant of a workspace, a passport or a grantee, those of authorities included',
    options: {
      workspace: { value: 'ID', meaning: 'Grants of a workspace' },
      passport: { value: 'ID', meaning: 'Grants of a passport' },
      grantee: { value: 'EMAIL|IDENTIFIER', meaning: 'Grants of a grantee' },
    },
    async run({ options, open }) {
      const of = {
        workspace: text(options, 'workspace'),
        passport: text(options, 'passport'),
        grantee: text(options, 'grantee'),
      }
      if (Object.values(of).every((value) => value === undefined)) {
        throw new UsageError('Give --workspace, --passport or --grantee.')
      }
      const { revoked } = await (await open()).cradle.grants.revokeAll(of)
      return { json: { revoked }, lines: [`Revoked grants: ${revoked}.`] }
    },
  },
  'grant authority': {
    summary: 'Issue a token that shows an authority the restricted values; it is shown this once',
    options: {
      scope: { value: 'SCOPE', needed: true, meaning: 'What it opens', values: ['PASSPORT', 'UNIT', 'TENANT'] },
      target: { value: 'ID', needed: true, meaning: 'The passport, the battery unit or the workspace' },
      expires: { value: 'ISO', needed: true, meaning: 'End of access' },
      name: { value: 'NAME', meaning: 'Name of the authority' },
      'actor-kind': { value: 'KIND', meaning: 'Kind of actor (ActorKind of the contract)' },
      'identifier-scheme': { value: 'SCHEME', meaning: 'Scheme of its number (IdentifierScheme of the contract)' },
      identifier: { value: 'NUMBER', meaning: 'Its number in the scheme' },
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
