import { allWorkspaces } from '../../../src/plugin/module.ts'
import type { Cradle } from './cradle.ts'
import { hasMembers } from './people-rows.ts'

/** Address of the first person of the demo workspace, until it has signed in. */
export async function greet({ consoleSettings, consolePeople, database }: Cradle): Promise<readonly string[]> {
  if (consoleSettings === undefined || (await hasMembers(database.lookup))) return []
  const [workspace, ...others] = await allWorkspaces(database)
  if (workspace === undefined || others.length > 0) return []
  const person = { email: 'owner@demo.example', name: 'Demo owner', role: 'owner' }
  const { address } = await consolePeople.invite(workspace.id, person, { workspace: workspace.name, lang: 'en' })
  return ['', 'Console, to sign in once:', `  ${address}`]
}
