import { type Commands, required, text, UsageError } from '../../../../src/plugin/command.ts'
import type { Cradle } from '../cradle.ts'
import { membershipsOf } from '../link-rows.ts'

export default {
  'console invite': {
    summary: 'Print an invitation to the console, which holds once',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'Workspace' },
      email: { value: 'ADDRESS', needed: true, meaning: 'E-mail address of the person' },
      name: { value: 'NAME', needed: true, meaning: 'Name of the person' },
      role: { value: 'ROLE', meaning: 'Role', values: ['owner', 'publisher', 'editor', 'reader'], default: 'owner' },
    },
    async run({ options, open }) {
      const { consolePeople, workspaces } = (await open<Cradle>()).cradle
      const { id, name: workspace } = await workspaces.show(required(options, 'workspace'))
      const [email, name] = [required(options, 'email'), required(options, 'name')]
      const person = { email, name, role: text(options, 'role') ?? 'owner' }
      const { address, isMailed } = await consolePeople.invite(id, person, { workspace, lang: 'en' })
      return { json: { address, isMailed }, lines: [`Invitation of ${email}, valid for seven days:`, address] }
    },
  },
  'console link': {
    summary: 'Print a sign-in link of a member of the console, which holds once',
    options: {
      email: { value: 'ADDRESS', needed: true, meaning: 'E-mail address of the member' },
      workspace: { value: 'ID', meaning: 'Workspace', default: 'each' },
    },
    async run({ options, open }) {
      const { consoleSignIn, database } = (await open<Cradle>()).cradle
      const email = required(options, 'email')
      const workspace = text(options, 'workspace')
      const all = await membershipsOf(database.lookup, email)
      const found = all.filter(({ tenantId }) => workspace === undefined || tenantId === workspace.toLowerCase())
      if (found.length === 0) throw new UsageError(`No workspace has a member with the address ${email}.`)
      const links = await Promise.all(
        found.map(async (one) => ({
          workspaceId: one.tenantId,
          workspace: one.workspace,
          address: await consoleSignIn.newLink(one.tenantId, one.personId),
        })),
      )
      return { json: { links }, lines: links.flatMap((link) => [`${link.workspace}, for 15 minutes:`, link.address]) }
    },
  },
} satisfies Commands
