import { type Commands, required, toIso, word } from './command.ts'

/** GS1 company prefixes. */
export const PREFIX_COMMANDS: Commands = {
  'prefix claim': {
    usage: '--workspace ID --prefix 0950600',
    summary: 'Keep the GTINs and GRAIs of a GS1 company prefix for a workspace',
    options: ['workspace', 'prefix'],
    async run({ options, open }) {
      const claim = await (await open()).cradle.companyPrefixes.claim(
        required(options, 'workspace'),
        required(options, 'prefix'),
      )
      return {
        json: claim,
        lines: [
          `Prefix ${claim.prefix} is kept for workspace ${claim.workspaceId}.`,
          ...claim.others.map(
            ({ id, productId, workspaceId }) =>
              `Passport ${id} (${productId}) of workspace ${workspaceId} is under it and stays.`,
          ),
        ],
      }
    },
  },
  'prefix list': {
    usage: '',
    summary: 'List the claimed GS1 company prefixes',
    async run({ open }) {
      const prefixes = await (await open()).cradle.companyPrefixes.list()
      return {
        json: { prefixes },
        lines: prefixes.map(({ prefix, workspaceId, workspace, claimedAt }) =>
          [prefix.padEnd(12), workspaceId, toIso(claimedAt), workspace].join('  '),
        ),
      }
    },
  },
  'prefix release': {
    usage: 'PREFIX',
    summary: 'Give a GS1 company prefix up',
    words: 1,
    async run({ words, open }) {
      const released = await (await open()).cradle.companyPrefixes.release(word(words, 'PREFIX'))
      return { json: released, lines: [`Prefix ${released.prefix} is free.`] }
    },
  },
}
