import type { Answer, RequestOptions } from './contract-client.ts'
import type { TestGateway } from './gateway.ts'

/** Browser without a script: follows the forms of pages, with cookies. */
export class ConsoleBrowser {
  readonly #gateway: TestGateway
  readonly #cookies = new Map<string, string>()
  page: Answer | undefined

  constructor(gateway: TestGateway) {
    this.#gateway = gateway
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value)
  }

  cookieNamed(part: string): string | undefined {
    return [...this.#cookies].find(([name]) => name.includes(part))?.[1]
  }

  /** Follows redirects within the console. */
  async open(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#follow(await this.send('GET', path, { headers }))
  }

  /** Sends the form of the current page whose action ends so, with its hidden fields. */
  async submit(
    action: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const form = formsIn(this.page?.text ?? '').find((one) => one.action.endsWith(action))
    if (form === undefined) throw new Error(`No form ${action} in ${this.page?.text}`)
    return this.#follow(await this.post(form.action, { ...form.fields, ...fields }, headers))
  }

  post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, { form, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
  }

  async send(
    method: string,
    path: string,
    { headers = {}, ...options }: Pick<RequestOptions, 'headers' | 'form' | 'file'> = {},
  ): Promise<Answer> {
    const cookie: Record<string, string> = this.#cookies.size === 0 ? {} : { cookie: this.cookie }
    const answer = await this.#gateway.request(method, path, { ...options, headers: { ...cookie, ...headers } })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0\b/.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }

  async #follow(answer: Answer): Promise<Answer> {
    this.page = answer
    const { location } = answer.headers
    if (answer.status !== 303 || location?.startsWith('/console') !== true) return answer
    return this.open(location)
  }
}

interface Form {
  readonly action: string
  readonly fields: Record<string, string>
}

/** Forms with their hidden fields. */
export function formsIn(html: string): Form[] {
  return [...html.matchAll(/<form method="post"[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', content = '']) => ({
      action: decoded(action),
      fields: Object.fromEntries(
        [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, decoded(value)],
        ),
      ),
    }),
  )
}

const decoded = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

/** Invites a person and signs in by the link. */
export async function signIn(
  gateway: TestGateway,
  workspaceId: string,
  role: string,
  more: { email?: string; permissions?: readonly string[]; operatorId?: string } = {},
): Promise<ConsoleBrowser> {
  const { consolePeople } = gateway.container.cradle as unknown as {
    consolePeople: {
      invite(tenantId: string, input: object, by: object): Promise<{ address: string }>
    }
  }
  const email = more.email ?? `${role}-${crypto.randomUUID()}@console.example`
  const { address } = await consolePeople.invite(
    workspaceId,
    { email, name: `Person ${role}`, role, ...more },
    { workspace: 'W', lang: 'en' },
  )
  const browser = new ConsoleBrowser(gateway)
  await browser.open(new URL(address).pathname)
  await browser.submit(new URL(address).pathname)
  return browser
}
