import { type DemoContent, ownScope } from '../../../src/plugin/module.ts'
import type { Cradle } from './cradle.ts'
import { EPCIS_CONTEXT } from './epcis/credential-events.ts'

const PLACES = [
  { uri: 'geo:37.65,27.35', name: 'Söke Ovası Organik', country: 'TR' },
  { uri: 'geo:50.63,3.06', name: 'Lin des Flandres', country: 'FR' },
  { uri: 'geo:41.35,-8.75', name: 'Fiação do Ave', country: 'PT' },
  { uri: 'geo:41.44,-8.29', name: 'Tecelagem Selho', country: 'PT' },
  { uri: 'geo:-1.05,-80.45', name: 'Botones de Tagua Manabí', country: 'EC' },
  { uri: 'geo:41.53,-8.62', name: 'Confecções Cávado', country: 'PT' },
  { uri: 'geo:41.18,-8.70', name: 'Porto de Leixões', country: 'PT' },
]

const item = (name: string) => `https://items.rivage.example/${name}`

function chainOf(gtin: string): object[] {
  const lot = `https://id.gs1.org/01/${gtin}/10/2026-03`
  const event = (type: string, place: number, eventTime: string, members: object) => ({
    type,
    eventTime: `${eventTime}T09:00:00.000Z`,
    eventTimeZoneOffset: '+00:00',
    bizLocation: { id: PLACES[place]?.uri },
    ...members,
  })
  const added = (name: string, place: number, time: string) =>
    event('ObjectEvent', place, time, { action: 'ADD', bizStep: 'commissioning', epcList: [item(name)] })
  const made = (inputs: string[], output: string, place: number, time: string) =>
    event('TransformationEvent', place, time, { inputEPCList: inputs.map(item), outputEPCList: [item(output)] })
  return [
    added('cotton/17', 0, '2025-10-02'),
    added('flax/4', 1, '2025-09-11'),
    made(['cotton/17', 'flax/4'], 'yarn/88', 2, '2025-12-03'),
    made(['yarn/88'], 'cloth/31', 3, '2026-01-14'),
    added('buttons/5', 4, '2026-01-20'),
    event('TransformationEvent', 5, '2026-02-17', {
      inputEPCList: [item('cloth/31'), item('buttons/5')],
      outputQuantityList: [{ epcClass: lot, quantity: 1200 }],
    }),
    event('ObjectEvent', 6, '2026-02-24', {
      action: 'OBSERVE',
      bizStep: 'departing',
      disposition: 'in_transit',
      quantityList: [{ epcClass: lot, quantity: 1200 }],
    }),
  ]
}

export default async function demo(
  { database, journeys, traceability }: Cradle,
  { principal, passports: { shirt } }: DemoContent,
): Promise<void> {
  const document = {
    '@context': [EPCIS_CONTEXT],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-02-25T09:00:00.000Z',
    epcisBody: { eventList: chainOf(shirt.gtin) },
  }
  await traceability.capture(principal, document, ownScope(database, principal.tenantId))
  await journeys.publish(principal, shirt.id, { places: PLACES })
}
