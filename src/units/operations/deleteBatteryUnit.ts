import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

const MAX_NAMED = 20

export default function deleteBatteryUnit({ units }: Cradle): Handler<'deleteBatteryUnit'> {
  return async ({ path, principal }) => {
    const { successors } = await units.remove(principal, path.id)
    const message = `The battery unit is deleted, with its events.${unlinked(successors)}`
    return { status: 200, body: { message } }
  }
}

function unlinked(successors: readonly string[]): string {
  if (successors.length === 0) return ''
  const further = successors.length > MAX_NAMED ? `, and ${successors.length - MAX_NAMED} more` : ''
  return ` Units made from it no longer have a predecessor: ${successors.slice(0, MAX_NAMED).join(', ')}${further}.`
}
