import { type Commands, readInput, text, UsageError, word } from '../../../../src/plugin/command.ts'
import type { Cradle } from '../cradle.ts'

const MAX_LOGO_BYTES = 16 * 1024 * 1024

export default {
  'workspace brand': {
    summary: 'Change logo and accent colour of a workspace',
    words: ['ID'],
    options: {
      logo: { value: 'FILE|none', meaning: 'Logo on public pages' },
      accent: { value: '#RRGGBB|none', meaning: 'Accent colour of public pages' },
    },
    async run({ words, options, open }) {
      const [logo, accent] = [text(options, 'logo'), text(options, 'accent')]
      if (logo === undefined && accent === undefined) throw new UsageError('Set --logo, --accent or both.')
      const file = logo === undefined || logo === 'none' ? null : readInput(logo, MAX_LOGO_BYTES)
      const { cradle } = await open<Cradle>()
      const brand = await cradle.brands.set(word(words, 'ID'), {
        ...(logo === undefined ? {} : { logo: file }),
        ...(accent === undefined ? {} : { accent: accent === 'none' ? null : accent }),
      })
      return { json: brand, lines: [`Accent colour: ${brand.accent ?? 'none'}`, `Logo: ${brand.logo ?? 'none'}`] }
    },
  },
} satisfies Commands
