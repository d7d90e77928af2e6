import { type Commands, required, text } from './command.ts'

/** Access grants. */
export const GRANT_COMMANDS: Commands = {
  'grant authority': {
    usage: '--scope PASSPORT|UNIT|TENANT --target ID --expires ISO [--name N]',
    summary: 'Mint a token that shows an authority the restricted values; it is shown this once',
    options: ['scope', 'target', 'expires', 'name'],
    async run({ options, open }) {
      const minted = await (await open()).cradle.grants.issueAuthority({
        scope: required(options, 'scope'),
        target: required(options, 'target'),
        expires: required(options, 'expires'),
        name: text(options, 'name'),
      })
      return { json: minted, lines: [`Grant ${minted.id}, its token shown this once:`, minted.token] }
    },
  },
}
