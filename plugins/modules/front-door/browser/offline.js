// Caches public pages for offline use, network first. Never caches content opened by a token.

const CACHE_NAME = 'pages-1'
const MAX_PAGES = 60
const MAX_BYTES = 600000
const SAVED_AT = 'x-saved-at'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(begin()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || request.mode !== 'navigate') return
  if (request.headers.has('authorization') || isGranted(new URL(request.url))) return
  event.respondWith(answer(request, event))
})

/** These pages loaded before this worker was active. */
async function begin() {
  await self.clients.claim()
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  await Promise.all(open.map(({ url }) => keepOpen(url).catch(() => {})))
}

async function keepOpen(url) {
  if (isGranted(new URL(url))) return
  const request = new Request(url, { headers: { Accept: 'text/html' } })
  // biome-ignore lint/style/noRestrictedGlobals: this runs in a browser, and asks for what the browser itself has asked for.
  await keep(request, await fetch(request))
}

async function answer(request, event) {
  let response
  try {
    // biome-ignore lint/style/noRestrictedGlobals: this runs in a browser, and passes on what the browser itself asks for.
    response = await fetch(request)
  } catch (error) {
    const saved = await savedCopy(request)
    if (saved !== undefined) return saved
    throw error
  }
  event.waitUntil(keep(request, response.clone()).catch(() => {}))
  return response
}

/** True for a grant token in any spelling. */
const isGranted = ({ searchParams }) => [...searchParams.keys()].some((name) => /grant/i.test(name))

const keyOf = ({ url }) => url.split('#', 1)[0]

/** True for a page that any anonymous caller receives. */
function isPublic({ status, type, redirected, headers }) {
  const isShared = !/no-store|private/i.test(headers.get('cache-control') ?? 'no-store')
  const isHtml = (headers.get('content-type') ?? '').startsWith('text/html')
  return (
    status === 200 &&
    type === 'basic' &&
    !redirected &&
    isShared &&
    isHtml &&
    (headers.get('x-access-tier') ?? 'public') === 'public'
  )
}

async function keep(request, response) {
  const cache = await caches.open(CACHE_NAME)
  const key = keyOf(request)
  if (response.status === 404 || response.status === 410) return void (await cache.delete(key))
  if (!isPublic(response)) return
  const body = await response.arrayBuffer()
  if (body.byteLength > MAX_BYTES) return
  const headers = new Headers(response.headers)
  headers.set(SAVED_AT, new Date().toISOString())
  headers.delete('vary')
  await cache.delete(key)
  await cache.put(key, new Response(body, { headers }))
  const all = await cache.keys()
  for (const old of all.slice(0, Math.max(0, all.length - MAX_PAGES))) await cache.delete(old)
}

async function savedCopy(request) {
  const found = await (await caches.open(CACHE_NAME)).match(keyOf(request))
  if (found === undefined) return undefined
  const at = new Date(found.headers.get(SAVED_AT))
  const page = await found.text()
  const [place, locale] = / data-saved="([A-Za-z-]{2,35})" hidden(?=>)/.exec(page) ?? ['', 'en']
  const isKnown = Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  const date = isKnown
    ? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(at)
    : at.toISOString().slice(0, 10)
  const html = page
    .replace(place, '')
    .replace('<time data-saved></time>', () => `<time datetime="${at.toISOString()}">${date}</time>`)
  return new Response(html, { headers: found.headers })
}
