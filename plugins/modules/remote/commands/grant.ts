import { type Commands, remote, remoteList } from '../../../../src/plugin/command.ts'

const EXPIRES = {
  value: 'ISO',
  needed: true,
  meaning: 'End of access, at most 366 days ahead',
  fills: 'body.expiresAt',
} as const

export default {
  'grant list': remoteList('listGrants', {
    summary: 'List access grants and requests, by status and then newest first',
    name: 'grants',
    filters: {
      status: { value: 'STATUS', meaning: 'Status to list', values: ['PENDING', 'ACTIVE', 'DENIED', 'REVOKED'] },
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
    summary: 'Grant access to restricted values; prints the token once',
    options: {
      name: { value: 'NAME', needed: true, meaning: 'Grantee', fills: 'body.granteeName' },
      scope: {
        value: 'SCOPE',
        needed: true,
        meaning: 'Scope of the access',
        values: ['PASSPORT', 'UNIT', 'TENANT'],
        fills: 'body.scopeType',
      },
      expires: EXPIRES,
      passport: { value: 'ID', meaning: 'Passport (scope PASSPORT)', fills: 'body.passportId' },
      unit: { value: 'ID', meaning: 'Battery unit (scope UNIT)', fills: 'body.batteryUnitId' },
      email: { value: 'ADDRESS', meaning: 'E-mail address of the grantee', fills: 'body.granteeEmail' },
      organization: { value: 'NAME', meaning: 'Organization of the grantee', fills: 'body.organization' },
      purpose: { value: 'TEXT', meaning: 'Purpose', fills: 'body.purpose' },
    },
    show: ({ grant, token }) => ({
      json: { grant, token },
      lines: [`Grant ${grant.id}. Token, shown only once:`, token],
    }),
  }),
  'grant approve': remote('approveGrant', {
    summary: 'Approve a request for access; prints the link once',
    words: { ID: 'id' },
    options: { expires: EXPIRES },
    notes: ['If the gateway sends e-mail, it sends the link to the requester.'],
    show: ({ grant, token, url }) => ({
      json: { grant, token, url },
      lines: [`Grant ${grant.id} is valid until ${grant.expiresAt}. Link for the requester, shown only once:`, url],
    }),
  }),
  'grant deny': remote('denyGrant', {
    summary: 'Deny a request for access',
    words: { ID: 'id' },
    show: ({ grant }) => ({ json: grant, lines: [`Request ${grant.id} is denied.`] }),
  }),
  'grant renew': remote('renewGrant', {
    summary: 'Change the expiry of a grant, without a new token',
    words: { ID: 'id' },
    options: { expires: EXPIRES },
    show: ({ grant }) => ({ json: grant, lines: [`Grant ${grant.id} is valid until ${grant.expiresAt}.`] }),
  }),
  'grant revoke': remote('revokeGrant', {
    summary: 'Revoke a grant',
    words: { ID: 'id' },
    show: ({ grant }) => ({ json: grant, lines: [`Grant ${grant.id} is revoked.`] }),
  }),
} satisfies Commands
