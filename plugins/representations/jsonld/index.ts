import {
  batchDocument,
  ceasedUnitDocument,
  passportDocumentSteps,
  passportDocumentText,
  type RepresentationPlugin,
  runYielding,
  unitDocumentSteps,
} from '../../../src/plugin/index.ts'

/** Default representation: the JSON-LD document (specification 2.1, 2.6). */
export default {
  kind: 'representation',
  name: 'jsonld',
  mediaTypes: ['application/ld+json'],
  rank: 6,
  isDefault: true,
  schema: { $ref: '#/components/schemas/Passport' },
  unitSchema: { $ref: '#/components/schemas/UnitDocument' },
  render: (view) => ({ body: passportDocumentText(view) }),
  renderVersion: async (view) => ({ body: await runYielding(passportDocumentSteps(view)) }),
  renderUnit: async (view) => ({ body: await runYielding(unitDocumentSteps(view)) }),
  renderCeasedUnit: (view) => ({ body: JSON.stringify(ceasedUnitDocument(view)) }),
  levels: {
    batch: {
      schema: { $ref: '#/components/schemas/BatchDocument' },
      render: (view) => ({ body: JSON.stringify(batchDocument(view)) }),
    },
  },
} satisfies RepresentationPlugin
