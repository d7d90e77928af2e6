import type { RepresentationPlugin } from '../../../src/plugin/index.ts'
import { aasxPackage } from './aasx.ts'
import { environment } from './environment.ts'
import { parseEnvironment } from './parse.ts'

/** The Asset Administration Shell environment of a passport (IDTA-01001 3.x), and the package that others download. */
export default [
  {
    kind: 'representation',
    name: 'aas',
    mediaTypes: ['application/aas+json', 'application/asset-administration-shell+json'],
    rank: 1,
    parse: parseEnvironment,
    render: (view) => ({ body: JSON.stringify(environment(view)) }),
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
    render: (view) => ({ body: aasxPackage(view) }),
  },
] satisfies RepresentationPlugin[]
