import { type Commands, word } from './command.ts'

export const MAIL_COMMANDS: Commands = {
  'mail test': {
    summary: 'Send a test message through the server of SMTP_URL',
    words: ['ADDRESS'],
    async run({ words, open }) {
      const address = word(words, 'ADDRESS')
      await (await open()).cradle.mails.test(address)
      return { json: { sent: address }, lines: [`The server accepted a message to ${address}.`] }
    },
  },
}
