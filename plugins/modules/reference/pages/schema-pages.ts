import type { Block, ReferenceView } from '../../../../src/plugin/index.ts'
import { CODE_SCHEMAS, type Contract, HOME, isProvisional, nodeOf, SCHEMAS } from '../contract.ts'
import { schemasIn } from '../document.ts'
import { below, description, filter, navigation } from '../layout.ts'
import { treeOf, typeOf } from '../schema-tree.ts'
import { heading, wordOf } from '../words.ts'
import { codeBlocks } from './errors-page.ts'

interface SchemaUsers {
  readonly operations: string[]
  readonly schemas: string[]
}

export function schemasPage(contract: Contract): ReferenceView {
  const { document, schemaNames, explained } = contract
  return {
    title: 'Schemas',
    lead: `The ${schemaNames.length} schemas of the contract.`,
    trail: below(),
    chips: [],
    navigation: [navigation(contract, SCHEMAS)],
    blocks: [
      filter('Filter schemas'),
      {
        kind: 'entries',
        entries: schemaNames.map((name) => ({
          id: name,
          name: [wordOf(name, explained)],
          facts: [],
          blocks: description(contract, document.components.schemas[name]).slice(0, 1),
        })),
      },
    ],
  }
}

export function schemaPage(contract: Contract, name: string, users: SchemaUsers): ReferenceView {
  const schema = contract.document.components.schemas[name]
  const isCodes = CODE_SCHEMAS.includes(name)
  return {
    title: name,
    lead: 'A schema of the contract.',
    trail: below({ href: `${HOME}/${SCHEMAS}`, text: 'Schemas' }),
    chips: isProvisional(schema) ? ['provisional'] : [],
    navigation: [navigation(contract, SCHEMAS)],
    blocks: [
      ...(isCodes ? codeBlocks(contract, name) : description(contract, schema)),
      heading('Shape'),
      { kind: 'text', words: typeOf(schema, contract) },
      ...(isCodes ? [] : valueList(schema.enum ?? [])),
      ...treeOf(schema, contract, [name]),
      ...linkList(contract, 'Used by operations', users.operations),
      ...linkList(contract, 'Used by schemas', users.schemas),
    ],
  }
}

const valueList = (values: readonly unknown[]): Block[] =>
  values.length === 0
    ? []
    : [{ kind: 'list', items: values.map((value) => [{ text: JSON.stringify(value), isCode: true }]) }]

const linkList = ({ explained }: Contract, title: string, names: readonly string[]): Block[] =>
  names.length === 0 ? [] : [heading(title), { kind: 'list', items: names.map((name) => [wordOf(name, explained)]) }]

export function usersOfSchemas({ document, operations, schemaNames }: Contract): ReadonlyMap<string, SchemaUsers> {
  const users = new Map<string, SchemaUsers>(schemaNames.map((name) => [name, { operations: [], schemas: [] }]))
  for (const operation of operations.values()) {
    const { parameters, requestBody, responses } = nodeOf(document, operation)
    for (const name of schemasIn(document, { parameters, requestBody, responses })) {
      users.get(name)?.operations.push(operation.operationId)
    }
  }
  for (const user of schemaNames) {
    for (const name of schemasIn(document, document.components.schemas[user])) users.get(name)?.schemas.push(user)
  }
  return users
}
