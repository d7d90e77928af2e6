import type { RepresentationPlugin } from '../../../src/plugin/index.ts'
import { environment } from './environment.ts'
import { parseEnvironment } from './parse.ts'

/** The Asset Administration Shell environment of a passport (IDTA-01001 3.x). */
export default {
  kind: 'representation',
  name: 'aas',
  mediaTypes: ['application/aas+json', 'application/asset-administration-shell+json'],
  parse: parseEnvironment,
  render: (view) => ({ body: JSON.stringify(environment(view)) }),
} satisfies RepresentationPlugin
