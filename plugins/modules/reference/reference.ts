import type { ReferenceView } from '../../../src/plugin/index.ts'
import { ERRORS, HOME, type ParsedContract, SCHEMAS, toContract } from './contract.ts'
import { errorsPage } from './pages/errors-page.ts'
import { homePage } from './pages/home-page.ts'
import { operationPage } from './pages/operation-page.ts'
import { schemaPage, schemasPage, usersOfSchemas } from './pages/schema-pages.ts'
import { tagPage } from './pages/tag-page.ts'

export interface Reference {
  /** Page addresses relative to the first page. */
  readonly addresses: readonly string[]
  /** @returns undefined if the page does not exist */
  page(address: string): ReferenceView | undefined
}

/**
 * Builds pages from the merged document: one per tag, operation and schema, one for errors and one for all schemas.
 * @param baseUrl of the gateway, for commands
 * @throws Error if two pages have the same address
 */
export function createReference(parsed: ParsedContract, baseUrl: string): Reference {
  const contract = toContract(parsed, baseUrl)
  const users = usersOfSchemas(contract)
  const makers = new Map<string, () => ReferenceView>()
  const add = (address: string, make: () => ReferenceView): void => {
    if (makers.has(address))
      throw new Error(`openapi.yaml: two pages of the reference have the address ${HOME}/${address}.`)
    makers.set(address, make)
  }
  add('', () => homePage(contract))
  add(ERRORS, () => errorsPage(contract))
  add(SCHEMAS, () => schemasPage(contract))
  for (const tag of contract.operationsByTag.keys()) add(tag, () => tagPage(contract, tag))
  for (const operation of parsed.operations.values()) {
    add(operation.operationId, () => operationPage(contract, operation))
  }
  for (const [name, usersOfSchema] of users) {
    add(`${SCHEMAS}/${name}`, () => schemaPage(contract, name, usersOfSchema))
  }
  return { addresses: [...makers.keys()], page: (address) => makers.get(address)?.() }
}
