/** Not published: specification 4.1 has no schema endpoint for this category. */
export const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:dpp-gateway:schema:iron-steel',
  title: 'Metadata of an iron or steel passport',
  description: 'Iron and steel products.',
  'x-legal-basis': ['2024/1781'],
  type: 'object',
  allOf: [
    {
      $ref: 'urn:dpp-gateway:schema:common',
    },
  ],
  properties: {
    category: {
      const: 'iron-steel',
      description: 'Always iron-steel.',
    },
    heatNumber: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Heat number.',
      'x-section': 'technical',
      'x-legal-basis': 'voluntary',
    },
    castNumber: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Cast number.',
      'x-section': 'technical',
      'x-legal-basis': 'voluntary',
    },
    cbamReportId: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Number of the CBAM report (Regulation (EU) 2023/956).',
      'x-section': 'technical',
      'x-legal-basis': 'voluntary',
    },
    scrapMetalContentRatio: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/percentage',
      description: 'Scrap in the metal charge, in percent.',
      'x-section': 'composition',
      'x-display': 'recycled',
      'x-claim': {
        topic: 'recycled-content',
      },
    },
    carbonEmissionIntensityPerTon: {
      type: 'number',
      minimum: 0,
      description: 'Greenhouse gas emissions, in t CO2 equivalent per t of product.',
      'x-section': 'footprint',
      'x-display': 'figure',
      'x-unit': 'tCo2ePerT',
      'x-claim': {
        topic: 'greenhouse-gas-emissions',
        unit: 'TNE',
      },
    },
    productForm: {
      type: 'string',
      enum: ['flat', 'long', 'tube', 'specialty', 'other'],
      description: 'Form of the product.',
      'x-section': 'performance',
    },
    steelGrade: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Steel grade, such as S355J2.',
      'x-section': 'performance',
    },
    productionRoute: {
      type: 'string',
      enum: ['blast-furnace', 'electric-arc', 'direct-reduction'],
      description: 'Production route.',
      'x-section': 'performance',
    },
    tensileStrengthClass: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Strength class, such as S355.',
      'x-section': 'performance',
      'x-display': 'figure',
    },
    yieldStrengthMPa: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Yield strength, in MPa.',
      'x-section': 'performance',
      'x-unit': 'MPa',
    },
    tensileStrengthMPa: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Tensile strength, in MPa.',
      'x-section': 'performance',
      'x-unit': 'MPa',
    },
    meltAndPourCountry: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/countryCode',
      description: 'Country of melting and pouring.',
      'x-section': 'origin',
      'x-legal-basis': 'voluntary',
    },
  },
} as const
