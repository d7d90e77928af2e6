/** Not published: specification 4.1 has no schema endpoint for this category. */
export const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:dpp-gateway:schema:aluminium',
  title: 'Metadata of an aluminium passport',
  description: 'Aluminium and aluminium alloy products.',
  'x-legal-basis': ['2024/1781'],
  type: 'object',
  allOf: [
    {
      $ref: 'urn:dpp-gateway:schema:common',
    },
  ],
  properties: {
    category: {
      const: 'aluminium',
      description: 'Always aluminium.',
    },
    postConsumerScrapPct: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/percentage',
      description: 'Part recycled from scrap after use, in percent by mass.',
      'x-section': 'composition',
      'x-display': 'recycled',
    },
    postConsumerScrapContent: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/percentage',
      description: 'Alias of postConsumerScrapPct.',
      'x-section': 'composition',
      'x-display': 'recycled',
    },
    co2ePerTonneKg: {
      type: 'number',
      minimum: 0,
      description: 'Greenhouse gas emissions, in kg CO2 equivalent per t of product.',
      'x-section': 'footprint',
      'x-display': 'figure',
      'x-unit': 'kgCo2ePerT',
    },
    energyIntensityPerKg: {
      type: 'number',
      minimum: 0,
      description: 'Energy used in production, in kWh per kg.',
      'x-section': 'footprint',
      'x-unit': 'kWhPerKg',
      'x-legal-basis': 'voluntary',
    },
    smelterElectricitySource: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: "Source of the smelter's electricity.",
      'x-section': 'footprint',
      'x-legal-basis': 'voluntary',
    },
    alloyGrade: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Alloy, such as EN AW-6060.',
      'x-section': 'performance',
    },
    productionRoute: {
      type: 'string',
      enum: ['primary', 'secondary-recycled', 'mixed'],
      description: 'Production route.',
      'x-section': 'performance',
    },
    smelterCountry: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/countryCode',
      description: 'Country of the smelter.',
      'x-section': 'origin',
      'x-legal-basis': 'voluntary',
    },
  },
} as const
