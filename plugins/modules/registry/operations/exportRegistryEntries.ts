import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function exportRegistryEntries({ registrations }: Cradle): Handler<'exportRegistryEntries', operations> {
  return async ({ query: { ids, format = 'json' }, principal }) => {
    const { contentType, text } = await registrations.exportFile(principal, ids.split(','), format)
    return {
      status: 200,
      contentType,
      headers: { 'Content-Disposition': `attachment; filename="registry-entries.${format}"` },
      body: text,
    }
  }
}
