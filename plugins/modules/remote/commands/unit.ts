import { type Commands, remote, remoteList, UNIT_STATUSES } from '../../../../src/plugin/command.ts'
import { handedOver } from '../hand-over.ts'

export default {
  'unit list': remoteList('listBatteryUnits', {
    summary: 'List the battery units of a passport, newest first',
    name: 'units',
    words: { PASSPORT: 'passportId' },
    columns: {
      ID: ({ id }) => id,
      SERIAL: ({ serialNumber }) => serialNumber,
      STATUS: ({ status }) => status,
      MANUFACTURED: ({ manufacturedAt }) => manufacturedAt,
      CEASED: ({ ceasedAt }) => ceasedAt,
    },
  }),
  'unit get': remote('getBatteryUnit', {
    summary: 'Print a battery unit as JSON-LD, with its events',
    words: { ID: 'id' },
    show: (unit, options) => handedOver(unit, options),
  }),
  'unit create': remote('serializeBatteryUnits', {
    summary: 'Serialise battery units of a passport (one, or up to 200 from a file)',
    words: { PASSPORT: 'passportId' },
    file: 'optional',
    options: {
      serial: { value: 'TEXT', meaning: 'Serial number, 1 to 20 characters', fills: 'body.serialNumber' },
      batch: { value: 'TEXT', meaning: 'Batch number', fills: 'body.batchNumber' },
      status: {
        value: 'STATUS',
        meaning: 'Status',
        values: UNIT_STATUSES,
        default: 'IN_SERVICE',
        fills: 'body.status',
      },
      manufactured: { value: 'DATE', meaning: 'Date of manufacture', fills: 'body.manufacturedAt' },
      predecessor: { value: 'ID', meaning: 'Predecessor of the unit', fills: 'body.predecessorUnitId' },
    },
    notes: ['FILE contains {"units": [{"serialNumber": "…"}, …]}. Exit code 1 if a unit was rejected.'],
    show: ({ units, errors = [], warnings = [] }) => ({
      json: { units, errors, warnings },
      lines: [
        ...units.map(({ id, serialNumber }) => `Unit ${id}: ${serialNumber}`),
        ...errors.map((error) => `  ${error}`),
      ],
      exitCode: errors.length === 0 ? 0 : 1,
    }),
  }),
  'unit delete': remote('deleteBatteryUnit', {
    summary: 'Delete a battery unit and its events',
    words: { ID: 'id' },
    show: ({ message }) => ({ json: { message }, lines: [message] }),
  }),
  'unit event': remote('recordBatteryUnitEvent', {
    summary: 'Record an event of a battery unit (permanent)',
    words: { ID: 'id', TYPE: 'body.eventType' },
    options: {
      soh: { value: 'PERCENT', meaning: 'State of health', fills: 'body.stateOfHealth', isNumber: true },
      cycles: { value: 'NUMBER', meaning: 'Cycle count', fills: 'body.cycleCount', isNumber: true },
      capacity: { value: 'AH', meaning: 'Remaining capacity', fills: 'body.remainingCapacityAh', isNumber: true },
      temperature: { value: 'CELSIUS', meaning: 'Temperature', fills: 'body.temperatureC', isNumber: true },
      status: { value: 'STATUS', meaning: 'New status of the unit', values: UNIT_STATUSES, fills: 'body.status' },
      recorded: { value: 'ISO', meaning: 'Time of the event', default: 'now', fills: 'body.recordedAt' },
    },
    notes: ['TYPE: SOH_MEASUREMENT, CHARGE_CYCLE, STATUS_CHANGE, NEGATIVE_EVENT or OTHER.'],
    show: ({ event }) => ({ json: event, lines: [`Event ${event.id} is recorded at ${event.recordedAt}.`] }),
  }),
  'unit events': remoteList('listBatteryUnitEvents', {
    summary: 'List the events of a battery unit, newest first; at most 500',
    name: 'events',
    words: { ID: 'id' },
    columns: {
      TIME: ({ recordedAt }) => recordedAt,
      TYPE: ({ eventType }) => eventType,
      SOH: ({ stateOfHealth }) => stateOfHealth,
      CYCLES: ({ cycleCount }) => cycleCount,
      CAPACITY: ({ remainingCapacityAh }) => remainingCapacityAh,
      TEMPERATURE: ({ temperatureC }) => temperatureC,
    },
  }),
} satisfies Commands
