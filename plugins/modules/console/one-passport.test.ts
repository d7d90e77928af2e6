import { describe, expect, test } from 'vitest'
import { type ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { errorsIn, filledForm, fillIn } from '../../../test/support/console-forms.ts'
import { createWorkspace, newGtin, textile } from '../../../test/support/gateway.ts'
import { nextNumber } from '../../../test/support/numbers.ts'
import { passportClient } from '../../../test/support/passport-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const publisher = await signIn(gateway, workspace.id, 'publisher')

const stored = async (id: string) => {
  const [row] = await gateway.sqlAs<{ status: string; metadata: Record<string, unknown>; sealed: boolean }>(
    workspace.id,
    `select status, metadata, seal_id is not null as sealed from passport where id = '${id}'`,
  )
  return row
}
const at = (id: string, page = '') => `/console/passports/${id}${page}`
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
const shown = async (path: string, browser: ConsoleBrowser = publisher) => textOf((await browser.open(path)).text)
const given = async (metadata: object = {}, more: object = {}): Promise<string> =>
  (await passports.given({ metadata: textile(metadata), ...more })).id

test('a section counts every field that it shows', async () => {
  const counted = async (metadata: object) => {
    const { text } = await publisher.open(at(await given(metadata, { draft: true }), '/edit?section=footprint'))
    return /data-section="footprint">(\d+) of (\d+)</.exec(text)?.slice(1).map(Number) ?? []
  }
  const [, usual = 0] = await counted({})
  expect(await counted({ carbonFootprintKgCo2e: 4.2 })).toEqual([1, usual + 1])
})
