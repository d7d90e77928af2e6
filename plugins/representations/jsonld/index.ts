import { passportDocumentText, type RepresentationPlugin } from '../../../src/plugin/index.ts'

/** The passport document itself (specification 2.1): what is answered when nothing else is asked for. */
export default {
  kind: 'representation',
  name: 'jsonld',
  mediaTypes: ['application/ld+json'],
  rank: 6,
  isDefault: true,
  schema: { $ref: '#/components/schemas/Passport' },
  render: (view) => ({ body: passportDocumentText(view) }),
} satisfies RepresentationPlugin
