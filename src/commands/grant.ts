import { type Commands, required, text, UsageError } from './command.ts'

export const GRANT_COMMANDS: Commands = {
  'grant revoke-all': {
    summary: 'Revoke every grant of a workspace, passport or grantee, including authorities',
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
    summary: 'Issue an access token for an authority; prints it once',
    options: {
      scope: { value: 'SCOPE', needed: true, meaning: 'Scope of the access', values: ['PASSPORT', 'UNIT', 'TENANT'] },
      target: { value: 'ID', needed: true, meaning: 'UUID of the passport, battery unit or workspace' },
      expires: { value: 'ISO', needed: true, meaning: 'End of access' },
      name: { value: 'NAME', meaning: 'Name of the authority' },
      'actor-kind': { value: 'KIND', meaning: 'Kind of actor (ActorKind in openapi.yaml)' },
      'identifier-scheme': { value: 'SCHEME', meaning: 'Scheme of the identifier (IdentifierScheme in openapi.yaml)' },
      identifier: { value: 'NUMBER', meaning: 'Identifier of the authority in the scheme' },
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
      return { json: minted, lines: [`Grant ${minted.id}. Token, shown only once:`, minted.token] }
    },
  },
}
