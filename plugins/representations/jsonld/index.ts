import {
  batchDocument,
  ceasedUnitDocument,
  type PlainRepresentation,
  passportDocumentSteps,
  passportDocumentText,
  runYielding,
  unitDocumentSteps,
} from '../../../src/plugin/index.ts'

/** Default representation: the JSON-LD document (specification 2.1, 2.6). */
const jsonld: PlainRepresentation = {
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
}

/** The same document for readers who request plain JSON (EN 18216). */
const json: PlainRepresentation = {
  ...jsonld,
  ...{ name: 'json', mediaTypes: ['application/json'], rank: 7, isDefault: false },
}

export default [jsonld, json]
