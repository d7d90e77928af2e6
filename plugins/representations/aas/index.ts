import type { PassportView, RenderContext, RepresentationPlugin } from '../../../src/plugin/index.ts'
import { aasxPackage } from './aasx.ts'
import { environment } from './environment.ts'
import { parseEnvironment } from './parse.ts'

const descriptionOf = ({ metadata }: PassportView, { describe }: RenderContext) => describe(metadata.category)

/** The Asset Administration Shell environment of a passport (IDTA-01001 3.x), and the package that others download. */
export default [
  {
    kind: 'representation',
    name: 'aas',
    mediaTypes: ['application/aas+json', 'application/asset-administration-shell+json'],
    rank: 1,
    parse: parseEnvironment,
    render: (view, context) => ({ body: JSON.stringify(environment(view, descriptionOf(view, context))) }),
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
    render: (view, context) => ({ body: aasxPackage(view, descriptionOf(view, context)) }),
  },
] satisfies RepresentationPlugin[]
