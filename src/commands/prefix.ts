import { type Commands, printable, required, toIso, word } from './command.ts'

export const PREFIX_COMMANDS: Commands = {
  'prefix claim': {
    summary: 'Reserve the GTINs and GRAIs of a GS1 company prefix for a workspace',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'The workspace' },
      prefix: { value: 'DIGITS', needed: true, meaning: 'The company prefix, such as 0950600' },
    },
    async run({ options, open }) {
      const claim = await (await open()).cradle.companyPrefixes.claim(
        required(options, 'workspace'),
        required(options, 'prefix'),
      )
      return {
        json: claim,
        lines: [
          `Prefix ${claim.prefix} is reserved for workspace ${claim.workspaceId}.`,
          ...claim.others.map(
            ({ id, productId, workspaceId }) =>
              `Passport ${id} (${productId}) of workspace ${workspaceId} has this prefix and stays unchanged.`,
          ),
        ],
      }
    },
  },
  'prefix list': {
    summary: 'List the claimed GS1 company prefixes',
    async run({ open }) {
      const prefixes = await (await open()).cradle.companyPrefixes.list()
      return {
        json: { prefixes },
        table: {
          headings: ['PREFIX', 'WORKSPACE ID', 'CLAIMED', 'WORKSPACE'],
          rows: prefixes.map(({ prefix, workspaceId, workspace, claimedAt }) =>
            [prefix, workspaceId, toIso(claimedAt), workspace].map(printable),
          ),
        },
      }
    },
  },
  'prefix release': {
    summary: 'Release a GS1 company prefix',
    words: ['PREFIX'],
    async run({ words, open }) {
      const released = await (await open()).cradle.companyPrefixes.release(word(words, 'PREFIX'))
      return { json: released, lines: [`Prefix ${released.prefix} is released.`] }
    },
  },
}
