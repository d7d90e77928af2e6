/** Not published: specification 4.1 has no schema endpoint for this category. */
export const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:dpp-gateway:schema:toys',
  title: 'Metadata of a toy passport',
  description: 'Toys under Regulation (EU) 2025/2509.',
  'x-availability': { act: 'Regulation (EU) 2025/2509, Article 19', from: '2030-08-01', years: 10 },
  'x-legal-basis': ['2025/2509'],
  type: 'object',
  allOf: [
    {
      $ref: 'urn:dpp-gateway:schema:common',
    },
  ],
  properties: {
    category: {
      const: 'toys',
      description: 'Always toys.',
    },
    primaryMaterial: {
      type: 'string',
      enum: ['plastic', 'wood', 'metal', 'textile', 'mixed', 'other'],
      description: 'Main material of the toy.',
      'x-section': 'composition',
      'x-legal-basis': 'voluntary',
    },
    allergenicFragrances: {
      type: 'array',
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'Allergenic fragrances subject to labelling.',
      'x-section': 'composition',
    },
    containsBattery: {
      type: 'boolean',
      description: 'True if a battery is built in or included.',
      'x-section': 'performance',
      'x-legal-basis': 'voluntary',
    },
    ageGroup: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Intended age in years, such as 3-6 or 12+.',
      'x-section': 'use',
    },
    ageGrading: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/label',
      description: 'Intended age, in words.',
      'x-section': 'use',
    },
    ageWarning: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/label',
      description: 'Age warning.',
      'x-section': 'safety',
      'x-order': -1,
    },
    safetyWarnings: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/labels',
      description: 'Safety warnings: one text or a list.',
      'x-section': 'safety',
      'x-order': -1,
    },
    containsMagnets: {
      type: 'boolean',
      description: 'True if the toy contains magnets.',
      'x-section': 'safety',
      'x-order': -1,
    },
    physicalSafetyParameters: {
      type: 'object',
      properties: {
        chokingHazardWarning: {
          type: 'boolean',
          description: 'True if the toy bears a small-parts warning.',
        },
        sharpEdgesChecked: {
          type: 'boolean',
          description: 'True if edges and points were tested.',
        },
        flammabilityCertified: {
          type: 'boolean',
          description: 'True if flammability was tested.',
        },
      },
      description: 'Physical and mechanical safety.',
      'x-section': 'safety',
      'x-order': -1,
      'x-display': 'members',
    },
    chemicalContentCertificates: {
      type: 'array',
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'Certificates on chemical content.',
      'x-section': 'safety',
      'x-legal-basis': 'voluntary',
    },
    harmonisedStandards: {
      type: 'array',
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'Applied harmonised standards, such as EN 71-1.',
      'x-section': 'safety',
    },
  },
} as const
