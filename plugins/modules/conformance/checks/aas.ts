import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { type Check, joined, needed } from '../check.ts'
import { productIdOf } from '../en18222.ts'
import { formOf } from '../formats.ts'
import type { Probe } from '../probe.ts'
import { AAS_RULES, metadataSubmodel } from '../rules/aas.ts'

const METAMODEL = 'IDTA-01001'

const environment = async (probe: Probe): Promise<JsonRecord> => (await formOf(probe, 'aas')).record()

const rule = (
  name: string,
  section: string,
  title: string,
  faults: (document: JsonRecord) => readonly string[],
  should?: true,
): Check => ({
  id: `aas.${name}`,
  clause: `${METAMODEL}, ${section}`,
  title,
  ...(should && { should }),
  run: async (probe) => joined(faults(await environment(probe))),
})

/** Attributes of EN 18223 in the submodel. */
const HEADER = [
  'digitalProductPassportId',
  'uniqueProductIdentifier',
  'granularity',
  'dppSchemaVersion',
  'dppStatus',
  'economicOperatorId',
]

export const AAS_CHECKS: readonly Check[] = [
  rule('members', '5.2', 'Objects have only members of their class', AAS_RULES.members),
  rule('model-types', '5.3', 'Every object states its modelType', AAS_RULES.modelTypes),
  rule('lists', '5.2 (JSON schema)', 'No list is empty', AAS_RULES.lists),
  rule('shells', '5.3.3 and 5.3.4', 'There is a shell with an id and an asset kind', AAS_RULES.shells),
  rule('ids', '5.3.2.7', 'Identifiers are unique', AAS_RULES.identifiables),
  rule('references', '5.3.10', 'Shells refer to submodels of the environment', AAS_RULES.references),
  rule('keys', '5.3.10.2', 'References have a type and keys', AAS_RULES.keys),
  rule(
    'id-shorts',
    '5.3.2.10 (AASd-002, AASd-117)',
    'An idShort has letters, digits, underscores and hyphens',
    AAS_RULES.idShorts,
  ),
  rule('unique-id-shorts', '5.3.2.10 (AASd-022)', 'An idShort is unique in its collection', AAS_RULES.uniqueIdShorts),
  rule('values', '5.3.7.12 (AASd-020)', 'Values of properties have the form of their type', AAS_RULES.values),
  rule('languages', '5.3.11 (BCP 47)', 'Texts have language tags', AAS_RULES.languages),
  rule('files', '5.3.7.9', 'Files have a content type', AAS_RULES.files),
  rule('list-items', '5.3.7.17 (AASd-108)', 'Items of a list have its type', AAS_RULES.lists30),
  rule('concepts', 'IDTA-01003-a, 4', 'Concept descriptions have a preferred name', AAS_RULES.concepts),
  rule('assets', '5.3.4 (AASd-131)', 'Assets have an identifier', AAS_RULES.assets),
  {
    id: 'aas.header',
    clause: 'IDTA 02099-1; EN 18223, 4.1.2.1',
    title: 'The submodel of the header has the attributes of EN 18223',
    async run(probe) {
      const submodel = needed(metadataSubmodel(await environment(probe)), 'the environment has no submodel DppMetadata')
      const { submodelElements } = submodel
      const names = (Array.isArray(submodelElements) ? submodelElements : []).flatMap((element) =>
        isRecord(element) && typeof element.idShort === 'string' ? [element.idShort.toLowerCase()] : [],
      )
      return joined(HEADER.filter((name) => !names.includes(name.toLowerCase())).map((name) => `${name} is missing`))
    },
  },
  {
    id: 'aas.product',
    clause: `${METAMODEL}, annex on EN 18223; EN 18219, 4.5`,
    title: 'The environment has the product identifier',
    should: true,
    async run(probe) {
      const { text } = await formOf(probe, 'aas')
      const id = productIdOf(probe)
      return text.includes(JSON.stringify(id).slice(1, -1)) ? undefined : `It does not contain ${id}.`
    },
  },
]
