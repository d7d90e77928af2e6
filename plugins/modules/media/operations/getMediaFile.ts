import { matches, type PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

const A_YEAR = 365 * 24 * 60 * 60

export default function getMediaFile({ media }: Cradle): PublicHandler<'getMediaFile', operations> {
  return async ({ path, headers, ...caller }) => {
    const { mediaType, length, sha256, isPublic, body } = await media.file(caller, path.id, path.file)
    const etag = `"${sha256}"`
    const cacheHeaders = {
      ETag: etag,
      // Drafts and restricted files are not shared.
      ...(isPublic ? { 'Cache-Control': `public, max-age=${A_YEAR}, immutable`, Vary: 'Authorization' } : {}),
    }
    if (matches(headers['if-none-match'], etag)) return { status: 304, headers: cacheHeaders }
    return {
      status: 200,
      contentType: mediaType,
      headers: {
        ...cacheHeaders,
        'Content-Length': String(length),
        // No browser may run content of a file under this host name.
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...(mediaType === 'application/pdf' ? { 'Content-Disposition': `attachment; filename="${path.file}"` } : {}),
      },
      body: await body(),
    }
  }
}
