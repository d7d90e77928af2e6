/** Applied but not published: specification 4.1 has no schema endpoint for this category. */
export const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:dpp-gateway:schema:toys',
  title: 'Metadata of a toy passport',
  description: 'Toys under Regulation (EU) 2025/2509.',
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
    ageGroup: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Age in years for which the toy is made, such as 3-6 or 12+.',
    },
    ageGrading: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Age for which the toy is made, in words.',
    },
    ageWarning: {
      $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      description: 'Warning that names an age.',
    },
    safetyWarnings: {
      type: ['string', 'array'],
      minLength: 1,
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'Safety warnings: one text or a list.',
    },
    primaryMaterial: {
      type: 'string',
      enum: ['plastic', 'wood', 'metal', 'textile', 'mixed', 'other'],
      description: 'Material that makes up most of the toy.',
    },
    allergenicFragrances: {
      type: 'array',
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'Allergenic fragrances that must be named.',
    },
    containsBattery: {
      type: 'boolean',
      description: 'Whether a battery is built in or comes with the toy.',
    },
    containsMagnets: {
      type: 'boolean',
      description: 'Whether the toy holds magnets.',
    },
    harmonisedStandards: {
      type: 'array',
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'Harmonised standards that were applied, such as EN 71-1.',
    },
    chemicalContentCertificates: {
      type: 'array',
      items: {
        $ref: 'urn:dpp-gateway:schema:common#/$defs/text',
      },
      description: 'Certificates on chemical content.',
    },
    physicalSafetyParameters: {
      type: 'object',
      properties: {
        chokingHazardWarning: {
          type: 'boolean',
          description: 'Whether the toy bears a warning about small parts.',
        },
        sharpEdgesChecked: {
          type: 'boolean',
          description: 'Whether edges and points were checked.',
        },
        flammabilityCertified: {
          type: 'boolean',
          description: 'Whether flammability was tested.',
        },
      },
      description: 'Physical and mechanical safety.',
    },
  },
} as const
