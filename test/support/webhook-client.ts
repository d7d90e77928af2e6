import type { TestGateway } from './gateway.ts'
import { expectStatus } from './passport-client.ts'

export function webhookClient(gateway: TestGateway, headers: Record<string, string>) {
  const at = (id: string, rest = '') => `/api/v1/webhooks/subscriptions/${id}${rest}`
  const create = (json: unknown) => gateway.request('POST', '/api/v1/webhooks/subscriptions', { headers, json })
  return {
    create,
    given: async (url: string, events: readonly string[] = ['*']) =>
      expectStatus(201, await create({ url, events })).body.subscription,
    list: () => gateway.request('GET', '/api/v1/webhooks/subscriptions', { headers }),
    update: (id: string, json: unknown) => gateway.request('PATCH', at(id), { headers, json }),
    remove: (id: string) => gateway.request('DELETE', at(id), { headers }),
    rotate: (id: string) => gateway.request('POST', at(id, '/rotate-secret'), { headers }),
    test: (id: string) => gateway.request('POST', at(id, '/test'), { headers }),
    deliveries: async (query = '') =>
      expectStatus(200, await gateway.request('GET', `/api/v1/webhooks/deliveries${query}`, { headers })).body
        .deliveries,
    replay: (id: string) => gateway.request('POST', `/api/v1/webhooks/deliveries/${id}/replay`, { headers }),
  }
}
