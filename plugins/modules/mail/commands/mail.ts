import { type Commands, word } from '../../../../src/plugin/command.ts'
import type { Cradle } from '../cradle.ts'

export default {
  'mail test': {
    summary: 'Send a test message through the server of SMTP_URL',
    words: ['ADDRESS'],
    async run({ words, open }) {
      const address = word(words, 'ADDRESS')
      await (await open<Cradle>()).cradle.mails.test(address)
      return { json: { sent: address }, lines: [`The server accepted a message to ${address}.`] }
    },
  },
} satisfies Commands
