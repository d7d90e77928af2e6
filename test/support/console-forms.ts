import type { ConsoleBrowser } from './console-client.ts'
import type { Answer } from './contract-client.ts'

/** Form of a page with the values that a browser would send. */
export function filledForm(
  html: string,
  action: string,
): { readonly action: string; readonly values: Record<string, string> } {
  const forms = [...html.matchAll(/<form method="post"[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
  const [, found = '', content = ''] = forms.find(([, one = '']) => decoded(one).split('?')[0]?.endsWith(action)) ?? []
  if (content === '') throw new Error(`No form ${action} in ${html}`)
  const values: Record<string, string> = {}
  for (const [, attributes = ''] of content.matchAll(/<input ([^>]*)>/g)) {
    const { name, value = '', type } = attributesIn(attributes)
    const isChosen = (type !== 'checkbox' && type !== 'radio') || / checked/.test(attributes)
    if (name !== undefined && isChosen) values[name] = value
  }
  for (const [, attributes = '', text = ''] of content.matchAll(/<textarea ([^>]*)>\n?(.*?)<\/textarea>/gs)) {
    values[attributesIn(attributes).name ?? ''] = decoded(text)
  }
  for (const [, attributes = '', options = ''] of content.matchAll(/<select ([^>]*)>(.*?)<\/select>/gs)) {
    const [, chosen = ''] = /value="([^"]*)" selected/.exec(options) ?? /value="([^"]*)"/.exec(options) ?? []
    values[attributesIn(attributes).name ?? ''] = decoded(chosen)
  }
  return { action: decoded(found), values }
}

const attributesIn = (text: string): Record<string, string | undefined> =>
  Object.fromEntries(
    [...text.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)]),
  )

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Sends a form of the current page with changed values, and follows the redirect. */
export async function fillIn(
  browser: ConsoleBrowser,
  action: string,
  changes: Record<string, string> = {},
): Promise<Answer> {
  const { action: path, values } = filledForm(browser.page?.text ?? '', action)
  const answer = await browser.post(path, { ...values, ...changes })
  browser.page = answer
  return answer.status === 303 ? browser.open(answer.headers.location ?? '') : answer
}

/** Texts of the error summary. */
export const errorsIn = (html: string): string[] => {
  const [, list = ''] = /id="errors"[^>]*>.*?<ul>(.*?)<\/ul>/s.exec(html) ?? []
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, text = '']) => decoded(text.replace(/<[^>]*>/g, '')))
}

/** Sends a form of the current page with a file, and follows the redirect. */
export async function upload(
  browser: ConsoleBrowser,
  action: string,
  file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array | string },
  changes: Record<string, string> = {},
): Promise<Answer> {
  const { action: path, values } = filledForm(browser.page?.text ?? '', action)
  const data = new FormData()
  for (const [name, value] of Object.entries({ ...values, ...changes })) if (name !== 'file') data.set(name, value)
  data.set('file', new Blob([file.bytes], { type: file.type }), file.name)
  const encoded = new Response(data)
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await browser.send('POST', path, { headers, file: { type: 'multipart/form-data', bytes } })
  browser.page = answer
  return answer.status === 303 ? browser.open(answer.headers.location ?? '') : answer
}
