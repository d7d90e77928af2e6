import { setImmediate } from 'node:timers/promises'
import type {
  BatchView,
  PassportView,
  RenderContext,
  Rendered,
  RepresentationPlugin,
  UnitView,
} from '../../../src/plugin/index.ts'
import { aasxPackage } from './aasx.ts'
import { batchEnvironment } from './batch-environment.ts'
import { type Environment, environment } from './environment.ts'
import { parseEnvironment } from './parse.ts'
import { unitEnvironment } from './unit-environment.ts'

const ofPassport = (view: PassportView, { describe }: RenderContext) =>
  environment(view, describe(view.metadata.category))
const ofUnit = (view: UnitView, { describe }: RenderContext) =>
  unitEnvironment(view, describe(view.ofModel.metadata.category))
const ofBatch = (view: BatchView, { describe }: RenderContext) =>
  batchEnvironment(view, describe(view.ofModel.metadata.category))

/** The environment as text; a large one takes as long to write as to make, so that others have their turn in between. */
async function asJson(environment: Environment): Promise<Rendered> {
  await setImmediate()
  return { body: JSON.stringify(environment) }
}

/** The Asset Administration Shell environment of a passport, of a unit or of a batch (IDTA-01001 3.x), and the package that others download. */
export default [
  {
    kind: 'representation',
    name: 'aas',
    extension: 'aas.json',
    mediaTypes: ['application/aas+json', 'application/asset-administration-shell+json'],
    rank: 1,
    parse: parseEnvironment,
    render: (view, context) => asJson(ofPassport(view, context)),
    renderUnit: (view, context) => asJson(ofUnit(view, context)),
    renderBatch: (view, context) => asJson(ofBatch(view, context)),
  },
  {
    kind: 'representation',
    name: 'aasx',
    // Registered with IANA in 2026; the aliases are those of Part 2 and of older tools.
    mediaTypes: [
      'application/aas+zip',
      'application/asset-administration-shell-package',
      'application/asset-administration-shell-package+xml',
    ],
    render: (view, context) => aasxPackage(view.id, ofPassport(view, context), context),
    renderUnit: (view, context) => aasxPackage(view.id, ofUnit(view, context), context),
    renderBatch: (view, context) => aasxPackage(view.id, ofBatch(view, context), context),
  },
] satisfies RepresentationPlugin[]
