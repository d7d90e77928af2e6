import {
  type BatchView,
  type CategoryDescription,
  type PassportView,
  type RenderContext,
  type Rendered,
  type RepresentationPlugin,
  runYielding,
  type UnitView,
} from '../../../src/plugin/index.ts'
import { type AasxFormat, aasxPackage } from './aasx.ts'
import { batchEnvironment } from './batch-environment.ts'
import { type Environment, environment, environmentText, visible } from './environment.ts'
import { metadataElementsYielding } from './metadata.ts'
import { parseEnvironment } from './parse.ts'
import { unitEnvironment } from './unit-environment.ts'

const toPassportEnvironment = async (view: PassportView, { describe }: RenderContext) => {
  const category = describe(view.metadata.category)
  return environment(view, category, await elementsOf(view, category))
}
const toUnitEnvironment = async (view: UnitView, { describe }: RenderContext) => {
  const category = describe(view.ofModel.metadata.category)
  return unitEnvironment(view, category, await elementsOf(view.ofModel, category))
}
const toBatchEnvironment = async (view: BatchView, { describe }: RenderContext) => {
  const category = describe(view.ofModel.metadata.category)
  return batchEnvironment(view, category, await elementsOf(view.ofModel, category))
}
const elementsOf = (view: PassportView, category: CategoryDescription) =>
  metadataElementsYielding(visible(view), category)

const asJson = async (environment: Environment): Promise<Rendered> => ({
  body: await runYielding(environmentText(environment)),
})

const aasx = (
  name: string,
  format: AasxFormat,
  mediaTypes: RepresentationPlugin['mediaTypes'],
): RepresentationPlugin => ({
  ...{ kind: 'representation', name, mediaTypes, extension: 'aasx' },
  ...{ schema: {}, unitSchema: {} },
  render: async (view, context) => aasxPackage(view.id, await toPassportEnvironment(view, context), format, context),
  renderUnit: async (view, context) => aasxPackage(view.id, await toUnitEnvironment(view, context), format, context),
  levels: {
    batch: {
      schema: {},
      render: async (view, context) => aasxPackage(view.id, await toBatchEnvironment(view, context), format, context),
    },
  },
})

/** AAS environments (IDTA-01001 3.x) of passports, units and batches, as JSON and AASX. */
export default [
  {
    kind: 'representation',
    name: 'aas',
    extension: 'aas.json',
    mediaTypes: ['application/aas+json', 'application/asset-administration-shell+json'],
    rank: 1,
    parse: parseEnvironment,
    render: async (view, context) => asJson(await toPassportEnvironment(view, context)),
    renderUnit: async (view, context) => asJson(await toUnitEnvironment(view, context)),
    levels: { batch: { render: async (view, context) => asJson(await toBatchEnvironment(view, context)) } },
  },
  // IANA registration of 2026; older tools use the alias.
  aasx('aasx', 'json', ['application/aas+zip', 'application/asset-administration-shell-package']),
  // Many tools read only XML (IDTA-01002, GenerateSerializationByIds).
  aasx('aasx-xml', 'xml', ['application/asset-administration-shell-package+xml']),
] satisfies RepresentationPlugin[]
