import { defineEntity } from '@mikro-orm/core'

const Person = defineEntity({
  name: 'ConsolePerson',
  tableName: 'console_person',
  properties: (p) => ({
    id: p.uuid().primary(),
    email: p.text().unique(),
    name: p.text(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
  }),
})
const Membership = defineEntity({
  name: 'ConsoleMembership',
  tableName: 'console_membership',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    personId: p.uuid().primary(),
    role: p.text(),
    permissions: p.array().nullable(),
    operatorId: p.uuid().nullable(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
  }),
})
/** Stores only the SHA-256 of the secret, like the following tables. */
const Invitation = defineEntity({
  name: 'ConsoleInvitation',
  tableName: 'console_invitation',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    email: p.text(),
    name: p.text(),
    role: p.text(),
    permissions: p.array().nullable(),
    operatorId: p.uuid().nullable(),
    secretHash: p.blob().unique(),
    invitedBy: p.text(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
    expiresAt: p.string().columnType('timestamptz(3)'),
  }),
})

const SignInLink = defineEntity({
  name: 'ConsoleLink',
  tableName: 'console_link',
  properties: (p) => ({
    secretHash: p.blob().primary(),
    tenantId: p.uuid(),
    personId: p.uuid(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
    expiresAt: p.string().columnType('timestamptz(3)'),
  }),
})

const PersonSession = defineEntity({
  name: 'ConsoleSession',
  tableName: 'console_session',
  properties: (p) => ({
    id: p.uuid().primary(),
    secretHash: p.blob().unique(),
    tenantId: p.uuid(),
    personId: p.uuid(),
    method: p.text(),
    mfa: p.boolean(),
    agent: p.text(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
    seenAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
    authenticatedAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
  }),
})

const Passkey = defineEntity({
  name: 'ConsolePasskey',
  tableName: 'console_passkey',
  properties: (p) => ({
    id: p.text().primary(),
    personId: p.uuid(),
    publicKey: p.blob(),
    counter: p.bigint('number'),
    transports: p.array(),
    name: p.text(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
    usedAt: p.string().columnType('timestamptz(3)').nullable(),
  }),
})

const ProviderIdentity = defineEntity({
  name: 'ConsoleIdentity',
  tableName: 'console_identity',
  properties: (p) => ({
    issuer: p.text().primary(),
    subject: p.text().primary(),
    personId: p.uuid(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
  }),
})

const Challenge = defineEntity({
  name: 'ConsoleChallenge',
  tableName: 'console_challenge',
  properties: (p) => ({
    idHash: p.blob().primary(),
    data: p.json(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
    expiresAt: p.string().columnType('timestamptz(3)'),
  }),
})

/** Passport as the list searches and sorts it. */
const CataloguePassport = defineEntity({
  name: 'ConsolePassport',
  tableName: 'console_passport',
  properties: (p) => ({
    passportId: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid(),
    version: p.integer(),
    productId: p.text(),
    title: p.text(),
    search: p.text(),
    category: p.text().nullable(),
    status: p.text(),
    isSealed: p.boolean(),
    isArchived: p.boolean(),
    createdAt: p.string().columnType('timestamptz(3)'),
    updatedAt: p.string().columnType('timestamptz(3)'),
  }),
})

/** Unsaved form of a section of a passport. */
const Entry = defineEntity({
  name: 'ConsoleEntry',
  tableName: 'console_entry',
  properties: (p) => ({
    personId: p.uuid().primary(),
    passportId: p.uuid().primary(),
    section: p.text().primary(),
    tenantId: p.uuid(),
    version: p.integer(),
    entered: p.json(),
    createdAt: p.string().columnType('timestamptz(3)').defaultRaw('now()'),
  }),
})

export const ENTITIES = [
  ...[Person, Membership, Invitation, SignInLink, PersonSession, Passkey, ProviderIdentity, Challenge],
  ...[CataloguePassport, Entry],
]
