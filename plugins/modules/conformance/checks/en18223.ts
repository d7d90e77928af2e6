import type { JsonRecord } from '../../../../src/plugin/index.ts'
import { type Check, joined, needed, orUndefined, shown, unless } from '../check.ts'
import { compressed, contentKeys, full } from '../en18222.ts'
import type { Probe } from '../probe.ts'
import { COMPRESSED_RULES, elementsOf, FULL_RULES, HEADER, misnamed, resourceUrls, URI, UTC } from '../rules/en18223.ts'
import { levelOf, readGs1Link } from '../rules/gs1-link.ts'

type Rule = (document: JsonRecord) => readonly string[]

const inCompressed = (rule: Rule) => async (probe: Probe) => joined(rule(await compressed(probe)))
const inFull = (rule: Rule) => async (probe: Probe) => joined(rule(await full(probe)))

const TABLE_1 = 'EN 18223, 4.1.2.1, Table 1'
const TOLERANCE_MS = 5 * 60_000

const attribute = (name: string, isRight: (value: unknown) => boolean, meaning: string): Check => ({
  id: `en18223.${name}`,
  clause: TABLE_1,
  title: `${name} is ${meaning}`,
  run: inCompressed((document) =>
    isRight(document[name]) ? [] : [`${name} is ${shown(document[name])}, expected ${meaning}`],
  ),
})

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const isOptionalText = (value: unknown) => value === undefined || isText(value)

/** Applies only if the full document has an element of the type. */
const elementsOfType = (name: string, type: string, clause: string, title: string): Check => ({
  id: `en18223.${name}`,
  clause,
  title,
  async run(probe) {
    const document = await full(probe)
    const isThere = elementsOf(document).some(({ element }) => element.objectType === type)
    needed(isThere || undefined, `the passport has no ${type}`)
    return joined(FULL_RULES.ofType(type)(document))
  },
})

const HEADER_CHECKS: readonly Check[] = [
  attribute('digitalProductPassportId', isText, 'a text'),
  attribute('uniqueProductIdentifier', isText, 'a text'),
  attribute('granularity', isText, 'a text'),
  attribute('dppSchemaVersion', isText, 'a text'),
  attribute('dppStatus', isText, 'a text'),
  attribute('lastUpdated', (value) => typeof value === 'string' && UTC.test(value), 'a UTC timestamp'),
  attribute('economicOperatorId', isText, 'a text'),
  attribute('facilityId', isOptionalText, 'a text, or absent'),
  attribute(
    'contentSpecificationIds',
    (value) => value === undefined || (Array.isArray(value) && value.every(isText)),
    'a list of texts, or absent',
  ),
  {
    id: 'en18223.names',
    clause: 'EN 18223, 5.2.2',
    title: 'Attributes of the header have their published names',
    run: inCompressed(misnamed),
  },
  {
    id: 'en18223.granularity-values',
    clause: 'EN 18223, 4.1.2.2',
    title: 'granularity is model, batch or item',
    run: inCompressed(({ granularity }) =>
      /^(?:model|batch|item)$/i.test(String(granularity)) ? [] : [`granularity is ${shown(granularity)}`],
    ),
  },
  {
    id: 'en18223.granularity-case',
    clause: 'EN 18223, 4.1.2.2',
    title: 'granularity is in lower case',
    should: true,
    run: inCompressed(({ granularity }) =>
      String(granularity) === String(granularity).toLowerCase() ? [] : [`granularity is ${shown(granularity)}`],
    ),
  },
  {
    id: 'en18223.granularity-of-link',
    clause: 'EN 18223, 4.1.2.2; EN 18219, 4.4.2',
    title: 'granularity is the level of the product identifier',
    async run(probe) {
      const { granularity, uniqueProductIdentifier } = await compressed(probe)
      const link = needed(readGs1Link(String(uniqueProductIdentifier)), 'the product identifier states no level')
      const level = levelOf(link)
      return unless(
        String(granularity).toLowerCase() === level,
        `granularity is ${shown(granularity)}, but the identifier is of level ${level}`,
      )
    },
  },
  {
    id: 'en18223.status-values',
    clause: TABLE_1,
    title: 'dppStatus is active, inactive, archived or invalid',
    should: true,
    run: inCompressed(({ dppStatus }) =>
      /^(?:active|inactive|archived|invalid)$/i.test(String(dppStatus)) ? [] : [`dppStatus is ${shown(dppStatus)}`],
    ),
  },
  {
    id: 'en18223.passport-uri',
    clause: 'EN 18223, 4.1.2.1',
    title: 'digitalProductPassportId is a URI',
    should: true,
    run: inCompressed(({ digitalProductPassportId: id }) => (URI.test(String(id)) ? [] : [`it is ${shown(id)}`])),
  },
  {
    id: 'en18223.not-in-future',
    clause: TABLE_1,
    title: 'lastUpdated is not in the future',
    run: inCompressed(({ lastUpdated }) =>
      Date.parse(String(lastUpdated)) > Date.now() + TOLERANCE_MS ? [`lastUpdated is ${shown(lastUpdated)}`] : [],
    ),
  },
]

const COMPRESSED_CHECKS: readonly Check[] = [
  {
    id: 'en18223.compressed-content',
    clause: 'EN 18223, 5.2.2',
    title: 'A compressed passport has data elements as members',
    run: inCompressed((document) => (contentKeys(document).length > 0 ? [] : ['it has only a header'])),
  },
  {
    id: 'en18223.compressed-metadata',
    clause: 'EN 18223, 5.2.2',
    title: 'A compressed passport has no metadata of elements',
    run: inCompressed(COMPRESSED_RULES.noMetadata),
  },
  {
    id: 'en18223.compressed-empty',
    clause: 'EN 18223, 4.1.2.4',
    title: 'No value of a compressed passport is null or empty',
    run: inCompressed(COMPRESSED_RULES.noEmptyValues),
  },
  {
    id: 'en18223.compressed-languages',
    clause: 'EN 18223, 4.1.2.8, Table 6',
    title: 'Texts in several languages are lists of value and language',
    run: inCompressed(COMPRESSED_RULES.languages),
  },
  {
    id: 'en18223.compressed-resources',
    clause: 'EN 18223, 4.1.2.7, Table 5',
    title: 'Related resources have a content type and an absolute address',
    run: inCompressed(COMPRESSED_RULES.resources),
  },
  {
    id: 'en18223.resources-respond',
    clause: 'EN 18223, 4.1.2.7; EN 18221, 4.4',
    title: 'Related resources respond',
    should: true,
    async run(probe) {
      const urls = resourceUrls(await compressed(probe)).filter((url) => /^https?:/.test(url))
      needed(urls[0], 'the passport has no related resources')
      const faults: string[] = []
      for (const url of urls.slice(0, MAX_RESOURCES)) faults.push(...(await unreachable(probe, url)))
      return joined(faults)
    },
  },
]

const MAX_RESOURCES = 5

async function unreachable(probe: Probe, url: string): Promise<string[]> {
  const reply = await orUndefined(probe.send('HEAD', url))
  if (reply === undefined) return [`${url} does not respond`]
  return reply.status < 400 || reply.status === 405 ? [] : [`${url} responds with ${reply.status}`]
}

const FULL_CHECKS: readonly Check[] = [
  {
    id: 'en18223.full-header',
    clause: 'EN 18223, 5.2.2 and Annex A',
    title: 'The full passport has the header of the compressed passport',
    async run(probe) {
      const [small, large] = [await compressed(probe), await full(probe)]
      const names = [...HEADER].filter((name) => JSON.stringify(small[name]) !== JSON.stringify(large[name]))
      return joined(names.map((name) => `${name} is ${shown(large[name])} instead of ${shown(small[name])}`))
    },
  },
  {
    id: 'en18223.full-content',
    clause: 'EN 18223, 5.2.2 and Annex A',
    title: 'The full passport has the data elements of the compressed passport',
    async run(probe) {
      const [small, large] = [contentKeys(await compressed(probe)), await full(probe)]
      const { elements } = large
      const ids = Array.isArray(elements) ? elements.map((element) => String(element?.elementId)) : []
      const lacking = small.filter((key) => !ids.includes(key)).map((key) => `${key} is only in the compressed form`)
      const more = ids.filter((id) => !small.includes(id)).map((id) => `${id} is only in the full form`)
      return joined([...lacking, ...more])
    },
  },
  {
    id: 'en18223.object-types',
    clause: 'EN 18223, 4.1.2.3 and Annex A',
    title: 'Every element has a known objectType',
    run: inFull(FULL_RULES.objectTypes),
  },
  {
    id: 'en18223.element-ids',
    clause: 'EN 18223, 4.1.2.3, Table 2',
    title: 'Every element has an elementId',
    run: inFull(FULL_RULES.elementIds),
  },
  {
    id: 'en18223.unique-ids',
    clause: 'EN 18223, 4.1.2.3, Table 2',
    title: 'An elementId is unique at its level',
    run: inFull(FULL_RULES.uniqueIds),
  },
  {
    id: 'en18223.dictionary-references',
    clause: 'EN 18223, 4.1.2.3, Table 2',
    title: 'A dictionaryReference is a text',
    run: inFull(FULL_RULES.dictionaryReferences),
  },
  elementsOfType(
    'single-values',
    'SingleValuedDataElement',
    'EN 18223, 4.1.2.5, Table 3',
    'A single-valued element has one value',
  ),
  elementsOfType(
    'value-lists',
    'MultiValuedDataElement',
    'EN 18223, 4.1.2.6, Table 4',
    'A multi-valued element has a list of values',
  ),
  elementsOfType('collections', 'DataElementCollection', 'EN 18223, 4.1.2.4', 'A collection has at least one element'),
  elementsOfType(
    'languages',
    'MultiLanguageDataElement',
    'EN 18223, 4.1.2.8, Table 6',
    'A multilingual element has texts with languages',
  ),
  elementsOfType(
    'resources',
    'RelatedResource',
    'EN 18223, 4.1.2.7, Table 5',
    'A related resource has a content type and an absolute address',
  ),
  {
    id: 'en18223.list-items',
    clause: 'EN 18223, Annex A, example 4',
    title: 'Objects in a list of values are elements',
    run: inFull(FULL_RULES.listItems),
  },
  {
    id: 'en18223.value-types',
    clause: 'EN 18223, 4.1.2.9 and 5.2.3, Table 7',
    title: 'A value has the form of its valueDataType',
    run: inFull(FULL_RULES.valueTypes),
  },
  {
    id: 'en18223.native-types',
    clause: 'EN 18223, 5.2.3',
    title: 'Numbers and booleans are native JSON values',
    should: true,
    run: inFull(FULL_RULES.nativeTypes),
  },
]

export const EN18223_CHECKS: readonly Check[] = [...HEADER_CHECKS, ...COMPRESSED_CHECKS, ...FULL_CHECKS]
