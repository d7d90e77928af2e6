import type { Change, Request, Response } from './clean-service.ts'

// Places and changes of faults.

export interface PlantedFault {
  readonly title: string
  /** The check that finds it. */
  readonly finds: string
  readonly change: Change
}

type When = (request: Request, response: Response) => boolean
// biome-ignore lint/suspicious/noExplicitAny: faults change documents of any form.
type Edit = (document: any) => unknown

const at =
  (when: When, edit: (response: Response, request: Request) => Response): Change =>
  (response, request) =>
    when(request, response) ? edit(response, request) : response

export const withStatus = (status: number) => (response: Response) => ({ ...response, status })
export const withBody = (body: string) => (response: Response) => ({ ...response, body })
export const withHeader = (name: string, value: string) => (response: Response) => ({
  ...response,
  headers: { ...response.headers, [name]: value },
})
export const without = (name: string) => (response: Response) => {
  const { [name]: _, ...headers } = response.headers
  return { ...response, headers }
}
export const edited = (edit: Edit) => (response: Response) => {
  const document = JSON.parse(response.body)
  return { ...response, body: JSON.stringify(edit(document) ?? document) }
}

export const isOk: When = (_, { status }) => status === 200
export const isError: When = (_, { status }) => status >= 400
export const both =
  (...all: When[]): When =>
  (request, response) =>
    all.every((when) => when(request, response))
export const path =
  (pattern: RegExp): When =>
  ({ path: text }) =>
    pattern.test(text)
export const type =
  (name: string): When =>
  (_, { headers }) =>
    headers['content-type']?.startsWith(name) === true

export const isRead: When = (request, response) =>
  path(/^\/v1\/dpps\/[^/]+$/)(request, response) && isOk(request, response)
const isForm = (form: 'compressed' | 'full'): When =>
  both(isRead, ({ query }) => (query.get('representation') ?? 'compressed') === form)
export const isCompressed = isForm('compressed')
export const isFull = isForm('full')
export const isProduct = both(path(/^\/v1\/dppsByProductId\//), isOk)
export const isSearch = path(/^\/v1\/dppsByProductIds$/)
export const isElement = path(/\/elements\//)
export const isVersion = path(/^\/v1\/dppsByIdAndDate\//)
export const isLink = path(/^\/01\//)
export const isLinkset = type('application/linkset+json')
export const isPage = both(isLink, type('text/html'))
export const isJson = both(isLink, isOk, type('application/json'))
export const isAnonymous: When = ({ headers }) => headers.authorization === undefined

export const fault = (
  finds: string,
  title: string,
  when: When,
  edit: (response: Response, request: Request) => Response,
) => ({
  ...{ finds, title },
  change: at(when, edit),
})

/** Changes the elements of a full document. */
export const ofElement = (name: string, edit: Edit) =>
  edited((document) => {
    for (const element of document.elements) if (element.elementId === name) edit(element)
  })

export const ofLinks = (edit: Edit) =>
  edited(({ linkset }) => {
    for (const [name, links] of Object.entries<unknown>(linkset[0])) if (Array.isArray(links)) edit({ name, links })
    return { linkset }
  })

/** Changes the decoded header or payload of a token; the signature stays. */
export const ofToken = (index: 0 | 1, edit: Edit) => (response: Response) => {
  const [token = '', ...rest] = response.body.split('~')
  const parts = token.split('.')
  const decoded = JSON.parse(Buffer.from(parts[index] ?? '', 'base64url').toString())
  parts[index] = Buffer.from(JSON.stringify(edit(decoded) ?? decoded)).toString('base64url')
  return { ...response, body: [parts.join('.'), ...rest].join('~') }
}

export const isVcJwt = both(isLink, type('application/vc+jwt'))
export const isSdJwt = type('application/dc+sd-jwt')
