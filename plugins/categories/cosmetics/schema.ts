/** Not published: specification 4.1 has no schema endpoint for this category. */
export const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:dpp-gateway:schema:cosmetics',
  title: 'Metadata of a cosmetics passport',
  description: 'Cosmetic products under Regulation (EC) No 1223/2009.',
  'x-legal-basis': ['1223/2009'],
  type: 'object',
  allOf: [
    {
      $ref: 'urn:dpp-gateway:schema:common',
    },
  ],
  properties: {
    category: {
      const: 'cosmetics',
      description: 'Always cosmetics.',
    },
    batchNumber: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Batch number.',
      'x-section': 'technical',
    },
    cpnpReference: {
      $ref: '#/$defs/cpnpReference',
      description: 'Number of the notification in the Cosmetic Products Notification Portal (Article 13).',
      'x-section': 'technical',
    },
    ingredients: {
      type: 'array',
      minItems: 1,
      items: {
        type: ['string', 'object'],
        minLength: 1,
        required: ['inciName'],
        properties: {
          inciName: {
            $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
            description: 'INCI name.',
          },
          concentrationPct: {
            $ref: 'urn:dpp-gateway:schema:common#/$defs/percentage',
            description: 'Concentration, in percent by mass.',
          },
          function: {
            $ref: 'urn:dpp-gateway:schema:common#/$defs/label',
            description: 'Function in the product.',
          },
        },
        description: 'INCI name of an ingredient, or an object with details.',
      },
      description: 'Ingredients in the order of Article 19(1)(g).',
      'x-section': 'composition',
    },
    ingredientList: {
      type: 'array',
      minItems: 1,
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'INCI names of the ingredients in the order of the label.',
      'x-section': 'composition',
    },
    packagingRecyclability: {
      type: ['number', 'object'],
      minimum: 0,
      maximum: 100,
      properties: {
        recycledContentPercentage: {
          $ref: 'urn:dpp-gateway:schema:common#/$defs/percentage',
          description: 'Recycled part of the packaging, in percent by mass.',
        },
      },
      description: 'Recyclable part of the packaging in percent, or an object with details.',
      'x-section': 'footprint',
      'x-unit': 'percent',
      'x-legal-basis': 'voluntary',
    },
    productFunction: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/label',
      description: 'Function of the product.',
      'x-section': 'performance',
    },
    nominalContent: {
      type: 'object',
      required: ['value', 'unit'],
      properties: {
        value: {
          type: 'number',
          exclusiveMinimum: 0,
          description: 'Amount, in the given unit.',
        },
        unit: {
          type: 'string',
          enum: ['g', 'kg', 'ml', 'l'],
          description: 'Unit of the value.',
        },
      },
      description: 'Content at the time of packaging.',
      'x-section': 'performance',
    },
    precautions: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/labels',
      description: 'Precautions for use: one text or a list.',
      'x-section': 'use',
    },
    periodAfterOpeningMonths: {
      type: 'integer',
      minimum: 1,
      maximum: 60,
      description: 'Period after opening, in months.',
      'x-section': 'use',
      'x-unit': 'month',
    },
    minimumDurabilityDate: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/monthOrDate',
      description: 'Date until which the product keeps its function.',
      'x-section': 'use',
    },
    responsiblePerson: {
      type: 'object',
      properties: {
        name: {
          $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
          description: 'Name of the company.',
        },
        address: {
          $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
          description: 'Postal address.',
        },
      },
      description: 'Responsible person under Article 4.',
      'x-section': 'origin',
    },
  },
  $defs: {
    cpnpReference: {
      type: 'string',
      pattern: '^[0-9]{1,20}$',
      description: 'Digits only.',
    },
  },
} as const
