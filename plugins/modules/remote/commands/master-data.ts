import { type Commands, fieldsOf, remote, remoteList } from '../../../../src/plugin/command.ts'

export default {
  'operator list': remoteList('listOperators', {
    summary: 'List economic operators',
    name: 'operators',
    options: { archived: { meaning: 'Include archived operators', fills: 'archived' } },
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      NUMBER: ({ regId }) => regId,
      SCHEME: ({ regIdScheme }) => regIdScheme,
      ROLE: ({ role }) => role,
      ARCHIVED: ({ archivedAt }) => archivedAt,
    },
  }),
  'operator get': remote('getOperator', {
    summary: 'Show an economic operator',
    words: { ID: 'id' },
    show: ({ operator }) => ({ json: operator, lines: fieldsOf(operator) }),
  }),
  'operator create': remote('registerOperator', {
    summary: 'Register an economic operator',
    file: 'optional',
    options: {
      name: { value: 'NAME', meaning: 'Legal name', fills: 'body.name' },
      'reg-id': { value: 'NUMBER', meaning: 'Registration number', fills: 'body.regId' },
      scheme: { value: 'SCHEME', meaning: 'Scheme of the number, such as EORI', fills: 'body.regIdScheme' },
      role: { value: 'ROLE', meaning: 'Role, such as MANUFACTURER or IMPORTER', fills: 'body.role' },
      email: { value: 'ADDRESS', meaning: 'Contact: e-mail address', fills: 'body.contact.email' },
    },
    notes: ['FILE may contain the same fields as JSON, and a contact.'],
    show: ({ operator }) => ({ json: operator, lines: [`Operator ${operator.id}: ${operator.name}.`] }),
  }),
  'operator update': remote('updateOperator', {
    summary: 'Change name, role or contact of an economic operator',
    words: { ID: 'id' },
    file: 'optional',
    options: {
      name: { value: 'NAME', meaning: 'Legal name', fills: 'body.name' },
      role: { value: 'ROLE', meaning: 'Role', fills: 'body.role' },
      email: { value: 'ADDRESS', meaning: 'Contact: e-mail address', fills: 'body.contact.email' },
    },
    show: ({ operator }) => ({ json: operator, lines: fieldsOf(operator) }),
  }),
  'operator delete': remote('deleteOperator', {
    summary: 'Delete an economic operator, or archive it if it has passports',
    words: { ID: 'id' },
    show: (answer) => ({
      json: answer,
      lines: [answer.archived ? 'The operator is archived.' : 'The operator is deleted.'],
    }),
  }),
  'operator restore': remote('restoreOperator', {
    summary: 'Restore an archived economic operator and its passports',
    words: { ID: 'id' },
    show: (answer) => ({ json: answer, lines: [`Restored with ${answer.restoredPassports} passports.`] }),
  }),
  'facility list': remoteList('listFacilities', {
    summary: 'List facilities, newest first',
    name: 'facilities',
    columns: {
      ID: ({ id }) => id,
      GLN: ({ gln }) => gln,
      NAME: ({ name }) => name,
      ACTIVITY: ({ activity }) => activity,
      COUNTRY: ({ country }) => country,
      OPERATOR: ({ operatorId }) => operatorId,
    },
  }),
  'facility get': remote('getFacility', {
    summary: 'Show a facility',
    words: { ID: 'id' },
    show: ({ facility }) => ({ json: facility, lines: fieldsOf(facility) }),
  }),
  'facility create': remote('registerFacility', {
    summary: 'Register a manufacturing facility',
    file: 'optional',
    options: {
      gln: { value: 'GLN', meaning: 'GS1 Global Location Number, 13 digits', fills: 'body.gln' },
      name: { value: 'NAME', meaning: 'Name', fills: 'body.name' },
      country: { value: 'CODE', meaning: 'Country, two letters', fills: 'body.country' },
      activity: { value: 'TEXT', meaning: 'Activity, such as Assembly', fills: 'body.activity' },
      street: { value: 'TEXT', meaning: 'Street address, shown to the owner only', fills: 'body.streetAddress' },
      city: { value: 'NAME', meaning: 'City, shown to the owner only', fills: 'body.city' },
      'postal-code': { value: 'CODE', meaning: 'Postal code, shown to the owner only', fills: 'body.postalCode' },
      operator: { value: 'ID', meaning: 'Economic operator', fills: 'body.operatorId' },
    },
    notes: ['FILE may contain the same fields as JSON.'],
    show: ({ facility }) => ({
      json: facility,
      lines: [`Facility ${facility.id}: ${facility.gln}, ${facility.name}.`],
    }),
  }),
  'facility update': remote('updateFacility', {
    summary: 'Change the given fields of a facility',
    words: { ID: 'id' },
    file: 'optional',
    options: {
      name: { value: 'NAME', meaning: 'Name', fills: 'body.name' },
      country: { value: 'CODE', meaning: 'Country, two letters', fills: 'body.country' },
      activity: { value: 'TEXT', meaning: 'Activity', fills: 'body.activity' },
      street: { value: 'TEXT', meaning: 'Street address', fills: 'body.streetAddress' },
      city: { value: 'NAME', meaning: 'City', fills: 'body.city' },
      'postal-code': { value: 'CODE', meaning: 'Postal code', fills: 'body.postalCode' },
    },
    show: ({ facility }) => ({ json: facility, lines: fieldsOf(facility) }),
  }),
  'facility delete': remote('deleteFacility', {
    summary: 'Delete a facility, but not its passports',
    words: { ID: 'id' },
    show: () => ({ json: { deleted: true }, lines: ['The facility is deleted.'] }),
  }),
} satisfies Commands
