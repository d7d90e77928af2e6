import type { Block, Entry, ReferenceView } from '../../../../src/plugin/index.ts'
import { type Contract, ERRORS, HOME, type OperationFacts, SCHEMAS } from '../contract.ts'
import type { Node } from '../document.ts'
import { CONTRACT_NAME, filter, fold, navigation, operationRow } from '../layout.ts'
import { operationCommand } from '../operation-command.ts'
import { heading, plain, prose } from '../words.ts'

export function homePage(contract: Contract): ReferenceView {
  const { document, explained } = contract
  const { info, openapi } = document
  return {
    title: CONTRACT_NAME,
    lead: info.summary,
    trail: [],
    chips: [`${info.title} ${info.version}`, `OpenAPI ${openapi}`],
    navigation: [navigation(contract)],
    blocks: [
      ...firstCall(contract),
      ...operationsByTag(contract),
      heading('Credentials'),
      { kind: 'entries', entries: credentials(contract) },
      heading('The contract'),
      {
        kind: 'list',
        items: [
          [{ text: 'OpenAPI document as JSON', href: '/openapi.json' }],
          [{ text: 'OpenAPI document as YAML', href: '/openapi.yaml' }],
          [{ text: 'Errors: formats and codes', href: `${HOME}/${ERRORS}` }],
          [{ text: 'Webhooks: events and signature', href: `${HOME}/webhooks` }],
          [{ text: 'All schemas', href: `${HOME}/${SCHEMAS}` }],
        ],
      },
      ...prose(info.description, explained),
    ],
  }
}

function firstCall(contract: Contract): Block[] {
  const { baseUrl, operations } = contract
  return [
    heading('First call'),
    {
      kind: 'text',
      words: [
        { text: 'Commands on these pages call ' },
        { text: '$BASE', isCode: true },
        { text: ' with the key ' },
        { text: '$KEY', isCode: true },
        { text: '. Create a key on the command line: ' },
        { text: 'dpp key create', isCode: true },
        { text: '.' },
      ],
    },
    { kind: 'code', label: 'Shell variables', text: `export BASE=${baseUrl}\nexport KEY=dpp_key_…` },
    {
      kind: 'code',
      label: 'Test the key',
      text: operationCommand(contract, operations.get('whoami') as OperationFacts),
    },
  ]
}

function operationsByTag(contract: Contract): Block[] {
  return [
    heading('Operations'),
    filter('Filter operations'),
    ...contract.document.tags.flatMap(({ name, description }: Node) => {
      const operations = (contract.operationsByTag.get(name) ?? []).map((one) => operationRow(contract, one))
      return fold(`${name}: ${description}`, [{ kind: 'operations', operations }])
    }),
  ]
}

function credentials({ document: { components }, explained }: Contract): Entry[] {
  const schemes = Object.entries<Node>(components.securitySchemes).map(
    ([name, { type, scheme, ...rest }]): Entry => ({
      name: plain(name === 'bearer' ? 'API key or session token' : 'Console session'),
      facts: [{ text: scheme === 'bearer' ? 'Authorization: Bearer …' : `Cookie: ${rest.name}=…`, isCode: true }],
      blocks: prose(rest.description, explained),
    }),
  )
  const { grant } = components.parameters
  return [
    ...schemes,
    {
      name: plain('Capability token'),
      facts: [{ text: `?${grant.name}=…`, isCode: true }],
      blocks: prose(grant.description, explained),
    },
    {
      name: plain('None'),
      facts: [],
      blocks: [{ kind: 'text', words: plain('Public operations are marked; a credential may show more there.') }],
    },
  ]
}
