import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { operations } from '../generated.ts'

export default function showConsoleUpload(): PublicHandler<'showConsoleUpload', operations> {
  return ({ path: { page, id } }) => ({
    status: 303,
    headers: { Location: `/console/${encodeURIComponent(page)}/${encodeURIComponent(id)}` },
  })
}
