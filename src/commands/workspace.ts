import { PLANS } from '../domain/plans.ts'
import { type Commands, type Options, printable, required, text, UsageError, word } from './command.ts'

export const WORKSPACE_COMMANDS: Commands = {
  'workspace create': {
    summary: 'Create a workspace',
    options: {
      name: { value: 'NAME', needed: true, meaning: 'Name' },
      'legal-name': { value: 'NAME', meaning: 'Legal name for seal certificates', default: 'the name' },
      country: { value: 'CODE', meaning: 'Country for seal certificates, two letters (ISO 3166-1)' },
      subdomain: { value: 'LABEL', meaning: 'Host label, if WORKSPACE_HOST_SUFFIX is set' },
      email: { value: 'ADDRESS', meaning: 'E-mail address for requests for access' },
      plan: { value: 'PLAN', meaning: 'Plan', values: Object.keys(PLANS), default: 'growth' },
      'with-key': { meaning: 'Create a seal key' },
    },
    async run({ options, open }) {
      const workspace = await (await open()).cradle.workspaces.create({
        name: required(options, 'name'),
        legalName: text(options, 'legal-name'),
        country: text(options, 'country'),
        subdomain: text(options, 'subdomain'),
        email: text(options, 'email'),
        plan: text(options, 'plan'),
        withKey: options['with-key'] === true,
      })
      return { json: workspace, lines: [`Workspace ${workspace.name} (plan ${workspace.plan}): ${workspace.id}`] }
    },
  },
  'workspace list': {
    summary: 'List the workspaces, by name',
    async run({ open }) {
      const workspaces = await (await open()).cradle.workspaces.list()
      return {
        json: { workspaces },
        table: {
          headings: ['ID', 'NAME', 'PLAN', 'SUBSCRIPTION', 'SUBDOMAIN', 'STATE'],
          rows: workspaces.map(({ id, name, plan, subscription, subdomain, isSuspended }) =>
            [id, name, plan, subscription, subdomain ?? '', isSuspended ? 'suspended' : ''].map(printable),
          ),
        },
      }
    },
  },
  'workspace show': {
    summary: 'Show plan, limits, rules and number of published passports of a workspace',
    words: ['ID'],
    async run({ words, open }) {
      const workspace = await (await open()).cradle.workspaces.show(word(words, 'ID'))
      const rows = Object.entries(workspace).map(
        ([name, value]) => `${name.padEnd(19)}${printable(String(value ?? '–'))}`,
      )
      return { json: workspace, lines: rows }
    },
  },
  'workspace set': {
    summary: 'Change plan, limits, rules or e-mail address of a workspace',
    words: ['ID'],
    options: {
      plan: { value: 'PLAN', meaning: 'Plan', values: Object.keys(PLANS) },
      email: { value: 'ADDRESS|none', meaning: 'E-mail address for requests for access' },
      subscription: { value: 'STATE', meaning: 'State of the subscription', values: ['active', 'grace', 'lapsed'] },
      'passport-limit': {
        value: 'NUMBER|none',
        meaning: 'Maximum number of published passports (none: limit of the plan)',
      },
      'storage-limit': { value: 'BYTES|none', meaning: 'Maximum number of stored bytes (none: limit of the plan)' },
      'row-limit': { value: 'NUMBER|none', meaning: 'Maximum number of stored rows (none: limit of the plan)' },
      'require-mfa': { value: 'on|off', meaning: 'Require a second factor for writes by users' },
      'strict-audiences': {
        value: 'on|off',
        meaning: 'Hide legitimate-interest data from authorities',
      },
    },
    async run({ words, options, open }) {
      const workspace = await (await open()).cradle.workspaces.set(word(words, 'ID'), {
        plan: text(options, 'plan'),
        email: text(options, 'email') === 'none' ? null : text(options, 'email'),
        subscription: text(options, 'subscription'),
        passportLimit: limitOf(options, 'passport-limit'),
        storageLimit: limitOf(options, 'storage-limit', 15),
        rowLimit: limitOf(options, 'row-limit'),
        requireMfa: onOff(text(options, 'require-mfa'), 'require-mfa'),
        strictAudiences: onOff(text(options, 'strict-audiences'), 'strict-audiences'),
      })
      return { json: workspace, lines: [JSON.stringify(workspace, null, 2)] }
    },
  },
  'workspace suspend': {
    summary: 'Suspend a workspace: its keys, sessions and grants are rejected; public pages stay readable',
    words: ['ID'],
    options: { reason: { value: 'TEXT', meaning: 'Reason, for the audit trail' } },
    async run({ words, options, open }) {
      const suspended = await (await open()).cradle.workspaces.suspend(word(words, 'ID'), text(options, 'reason'))
      return { json: suspended, lines: [`Workspace ${suspended.id} is suspended since ${suspended.suspendedAt}.`] }
    },
  },
  'workspace resume': {
    summary: 'Resume a suspended workspace',
    words: ['ID'],
    async run({ words, open }) {
      const resumed = await (await open()).cradle.workspaces.resume(word(words, 'ID'))
      return { json: resumed, lines: [`Workspace ${resumed.id} is not suspended.`] }
    },
  },
  'operator bind': {
    summary: 'Bind an economic operator to another workspace',
    options: {
      operator: { value: 'ID', needed: true, meaning: 'The economic operator' },
      workspace: { value: 'ID', needed: true, meaning: 'Workspace that may act for it' },
    },
    async run({ options, open }) {
      const bound = await (await open()).cradle.workspaces.bindOperator(
        required(options, 'operator'),
        required(options, 'workspace'),
      )
      return { json: bound, lines: [`Operator ${bound.operatorId} is bound to workspace ${bound.workspaceId}.`] }
    },
  },
}

function limitOf(options: Options, name: string, digits = 9): number | null | undefined {
  const value = text(options, name)
  if (value === undefined) return undefined
  if (value === 'none') return null
  if (!/^\d+$/.test(value) || value.length > digits) {
    throw new UsageError(`--${name} must be an integer of at most ${digits} digits, or "none".`)
  }
  return Number(value)
}

function onOff(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined
  if (value !== 'on' && value !== 'off') throw new UsageError(`--${name} must be on or off.`)
  return value === 'on'
}
