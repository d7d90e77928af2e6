import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server for given pages, with their own policies. */
export interface PageServer {
  /** Address of the page, stable for its content. */
  serve(html: string): string
  close(): Promise<void>
}

export async function startPageServer(): Promise<PageServer> {
  const pages: string[] = []
  const server = createServer((request, response) => {
    const page = pages[Number(request.url?.slice(1))]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    serve(html) {
      const known = pages.indexOf(html)
      return `http://127.0.0.1:${port}/${known === -1 ? pages.push(html) - 1 : known}`
    },
    close: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  }
}
