import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'cosmetics',
  originCountry: 'FR',
  ingredients: ['AQUA', { inciName: 'GLYCERIN', concentrationPct: 5, function: 'humectant' }],
  ingredientList: ['AQUA', 'GLYCERIN'],
  nominalContent: { value: 50, unit: 'ml' },
  periodAfterOpeningMonths: 12,
  minimumDurabilityDate: '2029-04',
  batchNumber: 'L-0423',
  cpnpReference: '3141592',
  precautions: 'Avoid contact with the eyes.',
  productFunction: 'Face cream',
  responsiblePerson: { name: 'Example Beauté SAS', address: '1 rue Exemple, Paris' },
  packagingRecyclability: { recycledContentPercentage: 60 },
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'cosmetics', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'cosmetics' })).toEqual(['originCountry'])
})

it.each([
  ['ingredients[0]', { ingredients: [''] }],
  ['ingredients[1].inciName', { ingredients: ['AQUA', { concentrationPct: 5 }] }],
  ['ingredientList', { ingredientList: [] }],
  ['nominalContent.unit', { nominalContent: { value: 50, unit: 'oz' } }],
  ['periodAfterOpeningMonths', { periodAfterOpeningMonths: 61 }],
  ['minimumDurabilityDate', { minimumDurabilityDate: '04/2029' }],
  ['cpnpReference', { cpnpReference: 'CPNP-31' }],
  ['packagingRecyclability', { packagingRecyclability: 101 }],
  ['packagingRecyclability.recycledContentPercentage', { packagingRecyclability: { recycledContentPercentage: -1 } }],
  [
    'ingredients',
    {
      ingredients: [
        { inciName: 'AQUA', concentrationPct: 99 },
        { inciName: 'GLYCERIN', concentrationPct: 1.1 },
      ],
    },
  ],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})

it('accepts concentrations that make exactly 100 in decimals', () => {
  const ingredients = [70.1, 20.2, 9.7].map((concentrationPct) => ({ inciName: 'X', concentrationPct }))
  expect(errorPaths({ ...valid, ingredients })).toEqual([])
})
