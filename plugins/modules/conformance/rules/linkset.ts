import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { shown } from '../finding.ts'
import { URI } from './en18223.ts'

// Link sets (RFC 9264, 4.2; GS1-Conformant Resolver 1.2). The rules are ours.

const NO_RELATION = new Set(['anchor', 'itemDescription'])
const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/

interface FoundLink {
  readonly context: number
  readonly relation: string
  readonly link: JsonRecord
}

export const contextsOf = ({ linkset }: JsonRecord): JsonRecord[] =>
  Array.isArray(linkset) ? linkset.filter(isRecord) : []

export const linksOf = (document: JsonRecord): FoundLink[] =>
  contextsOf(document).flatMap((context, index) =>
    Object.entries(context).flatMap(([relation, links]) =>
      NO_RELATION.has(relation) || !Array.isArray(links)
        ? []
        : links.filter(isRecord).map((link) => ({ context: index, relation, link })),
    ),
  )

const inLinks = (document: JsonRecord, rule: (link: JsonRecord, relation: string) => string[]): string[] =>
  linksOf(document).flatMap(({ relation, link }) =>
    rule(link, relation).map((fault) => `${shorter(relation)}: ${fault}`),
  )

const shorter = (relation: string) => relation.split('/').at(-1) ?? relation

export const isDefault = (relation: string) => /\/defaultLink$|^defaultLink$/.test(relation)

export const LINKSET_RULES = {
  form: ({ linkset }: JsonRecord) =>
    Array.isArray(linkset) && linkset.length > 0 && linkset.every(isRecord)
      ? []
      : [`linkset is ${shown(linkset)}, expected a list of objects`],
  anchors: (document: JsonRecord) =>
    contextsOf(document).flatMap(({ anchor }) =>
      typeof anchor === 'string' && URL.canParse(anchor) ? [] : [`anchor ${shown(anchor)} is not an absolute address`],
    ),
  relations: (document: JsonRecord) =>
    contextsOf(document).flatMap((context) =>
      Object.entries(context).flatMap(([relation, links]) => {
        if (NO_RELATION.has(relation)) return []
        if (!Array.isArray(links)) return [`${relation} is not a list of links`]
        return links.length > 0 && links.every(isRecord) ? [] : [`${relation} has no links`]
      }),
    ),
  relationNames: (document: JsonRecord) =>
    [...new Set(linksOf(document).map(({ relation }) => relation))].flatMap((relation) =>
      URI.test(relation) || /^[a-z][a-z0-9.-]*$/.test(relation)
        ? []
        : [`${relation} is not a link relation (RFC 8288, 2.1)`],
    ),
  targets: (document: JsonRecord) =>
    inLinks(document, ({ href }) =>
      typeof href === 'string' && URL.canParse(href) ? [] : [`href ${shown(href)} is not an absolute address`],
    ),
  titles: (document: JsonRecord) =>
    inLinks(document, ({ title }) => (typeof title === 'string' && title !== '' ? [] : [`title is ${shown(title)}`])),
  types: (document: JsonRecord) =>
    inLinks(document, ({ type }) =>
      type === undefined || (typeof type === 'string' && MEDIA_TYPE.test(type)) ? [] : [`type ${shown(type)} is wrong`],
    ),
  languages: (document: JsonRecord) =>
    inLinks(document, ({ hreflang }) =>
      hreflang === undefined ||
      (Array.isArray(hreflang) && hreflang.every((tag) => typeof tag === 'string' && LANGUAGE.test(tag)))
        ? []
        : [`hreflang ${shown(hreflang)} is not a list of language tags`],
    ),
  defaultLink: (document: JsonRecord) => {
    const found = linksOf(document).filter(({ relation, context }) => context === 0 && isDefault(relation))
    return found.length === 1 ? [] : [`the first context has ${found.length} default links, expected 1`]
  },
  defaultIsPlain: (document: JsonRecord) =>
    inLinks(document, ({ type, hreflang }, relation) =>
      isDefault(relation) && (type !== undefined || hreflang !== undefined) ? ['a default link has only a title'] : [],
    ),
  descriptions: (document: JsonRecord) =>
    contextsOf(document).flatMap(({ itemDescription }) =>
      typeof itemDescription === 'string' && itemDescription !== '' ? [] : ['itemDescription is missing'],
    ),
} as const
