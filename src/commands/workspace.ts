import { readFile } from 'node:fs/promises'
import { type Commands, type Options, required, text, UsageError, word } from './command.ts'

/** Workspaces, and the operators for which they may act. */
export const WORKSPACE_COMMANDS: Commands = {
  'workspace create': {
    usage: '--name N [--legal-name L --country DE --subdomain s --email a@b.eu --plan growth --with-key]',
    summary: 'Create a workspace; --with-key makes its seal key at once',
    options: ['name', 'legal-name', 'country', 'subdomain', 'email', 'plan'],
    flags: ['with-key'],
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
  'workspace set': {
    usage:
      'ID [--plan p --email a@b.eu|none --subscription active|grace|lapsed --passport-limit n --storage-limit bytes --row-limit n --require-mfa on|off --strict-audiences on|off --logo FILE|none --accent "#0b5f5a"|none]',
    summary:
      'Change plan, e-mail address, subscription, limits ("none": those of the plan), MFA, how strictly audiences are kept apart, logo or accent colour of a workspace',
    options: [
      ...['plan', 'email', 'subscription', 'passport-limit', 'storage-limit', 'row-limit', 'require-mfa'],
      ...['strict-audiences', 'logo', 'accent'],
    ],
    words: 1,
    async run({ words, options, open }) {
      const logo = text(options, 'logo')
      const accent = text(options, 'accent')
      const file = logo === undefined || logo === 'none' ? null : await readFile(logo)
      const { cradle } = await open()
      const brand =
        logo === undefined && accent === undefined
          ? undefined
          : await cradle.brands.set(word(words, 'ID'), {
              logo: logo === undefined ? undefined : file,
              accent: accent === 'none' ? null : accent,
            })
      const workspace = await cradle.workspaces.set(word(words, 'ID'), {
        plan: text(options, 'plan'),
        email: text(options, 'email') === 'none' ? null : text(options, 'email'),
        subscription: text(options, 'subscription'),
        passportLimit: limitOf(options, 'passport-limit'),
        storageLimit: limitOf(options, 'storage-limit', 15),
        rowLimit: limitOf(options, 'row-limit'),
        requireMfa: onOff(text(options, 'require-mfa'), 'require-mfa'),
        strictAudiences: onOff(text(options, 'strict-audiences'), 'strict-audiences'),
      })
      const told = { ...workspace, ...(brand === undefined ? {} : { brand }) }
      return { json: told, lines: [JSON.stringify(told, null, 2)] }
    },
  },
  'workspace suspend': {
    usage: 'ID [--reason TEXT]',
    summary: 'Stop a workspace at once: none of its keys, sessions and grants holds; what is public stays readable',
    options: ['reason'],
    words: 1,
    async run({ words, options, open }) {
      const suspended = await (await open()).cradle.workspaces.suspend(word(words, 'ID'), text(options, 'reason'))
      return { json: suspended, lines: [`Workspace ${suspended.id} is suspended since ${suspended.suspendedAt}.`] }
    },
  },
  'workspace resume': {
    usage: 'ID',
    summary: 'Let a suspended workspace go on as it was',
    words: 1,
    async run({ words, open }) {
      const resumed = await (await open()).cradle.workspaces.resume(word(words, 'ID'))
      return { json: resumed, lines: [`Workspace ${resumed.id} is not suspended.`] }
    },
  },
  'operator bind': {
    usage: '--operator ID --workspace ID',
    summary: 'Let a workspace act for an economic operator of another',
    options: ['operator', 'workspace'],
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
    throw new UsageError(`--${name} must be a whole number of at most ${digits} digits, or "none".`)
  }
  return Number(value)
}

function onOff(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined
  if (value !== 'on' && value !== 'off') throw new UsageError(`--${name} must be on or off.`)
  return value === 'on'
}
