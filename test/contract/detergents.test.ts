import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { words } from '../browser/render.ts'
import { newGtin } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, passports } = await useGateway({
  PLUGINS: ['plugins', 'optional/categories/detergents'].map((folder) => resolve(folder)).join(','),
})

const detergent = {
  category: 'detergents',
  originCountry: 'NL',
  productName: { en: 'Clean Wash', de: 'Sauber' },
  placedOnMarketAt: '2029-10-01',
  addedSubstances: [{ name: 'Sodium carbonate', inciName: 'Sodium Carbonate', casNumber: '497-19-8' }],
  microOrganisms: [
    { genus: 'Bacillus', species: 'subtilis', strain: 'ATCC 6051' },
    { genus: 'Bacillus', species: 'pumilus', strain: 'DSM 27' },
  ],
  consumerContact: { phone: '+31 20 1234567' },
  statementOfResponsibility: 'Issued under the sole responsibility of the manufacturer.',
}

test('a detergent, once its category is enabled, is published, shown and described in every form', async () => {
  const { id } = await passports.given({ metadata: detergent })
  const read = (accept: string) =>
    gateway.request('GET', `/passport/${id}`, { headers: { accept, 'accept-language': 'de' } })
  const linked = await read('application/ld+json')
  expect(linked.body).toMatchObject({ metadata: detergent, availableUntil: '2039-10-01' })

  const page = words((await read('text/html')).text)
  expect(page).toContain('Wasch- und Reinigungsmittel')
  expect(page).toContain('Zugesetzte Stoffe')
  expect(page).toContain('Gattung Art Stamm Bacillus subtilis ATCC 6051 Bacillus pumilus DSM 27')
  expect(page).toContain('Kontakt für Verbraucher Telefon +31 20 1234567')

  const { submodels } = (await read('application/aas+json')).body
  const { submodelElements } = submodels.find(({ idShort }: Named) => idShort === 'ComplianceMetadata')
  const { value } = submodelElements.find(({ idShort }: Named) => idShort === 'microOrganisms')
  expect(JSON.parse(value)).toEqual(detergent.microOrganisms)
})

test('its schema is served, and what contradicts it is refused with the place', async () => {
  const schema = await gateway.request('GET', '/api/v1/schemas/detergents')
  expect([schema.status, schema.body.title]).toEqual([200, 'Metadata of a detergent passport'])
  const metadata = { ...detergent, microOrganisms: [{ genus: 'Bacillus' }] }
  const { status, body } = await passports.create({ productId: newGtin(), metadata })
  expect([status, body.errors[0].path]).toEqual([400, 'microOrganisms[0].species'])
})

test('its readers are neither counted nor recorded', async () => {
  const { id, productId } = await passports.given({ metadata: detergent })
  for (const path of [`/passport/${id}`, `/01/${productId}`]) {
    // The second response is from the public cache.
    for (const accept of ['text/html', 'text/html', 'application/ld+json']) {
      expect((await gateway.request('GET', path, { headers: { accept } })).status).toBe(200)
    }
  }
  await gateway.container.cradle.accessAudit.flush()
  for (const table of ['access_audit', 'resolution_count']) {
    expect(await gateway.sql(`select 1 from ${table} where passport_id = $1`, [id]), table).toEqual([])
  }
})

interface Named {
  readonly idShort: string
}
