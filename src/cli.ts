import { parseArgs } from 'node:util'
import { AUDIT_COMMANDS } from './commands/audit.ts'
import { type Command, EXIT, type Options, UsageError } from './commands/command.ts'
import { COMPLETENESS_COMMANDS } from './commands/completeness.ts'
import { CREDENTIAL_COMMANDS } from './commands/credentials.ts'
import { GRANT_COMMANDS } from './commands/grant.ts'
import { IMPORT_COMMANDS } from './commands/import.ts'
import { INSTALLATION_COMMANDS } from './commands/installation.ts'
import { LABEL_COMMANDS } from './commands/labels.ts'
import { MAIL_COMMANDS } from './commands/mail.ts'
import { PREFIX_COMMANDS } from './commands/prefix.ts'
import { VERIFY_COMMANDS } from './commands/verify.ts'
import { WEBHOOK_COMMANDS } from './commands/webhook.ts'
import { WORKSPACE_COMMANDS } from './commands/workspace.ts'
import { ConfigError, loadConfig } from './config.ts'
import { Problem } from './domain/problem.ts'
import { dictionary } from './domain/record.ts'
import { openGateway } from './gateway.ts'
import { Unreadable } from './outside/documents.ts'
import { NotSent } from './outside/mailer.ts'
import { PluginError } from './plugin/loader.ts'

const COMMANDS = dictionary<Command>({
  ...WORKSPACE_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...GRANT_COMMANDS,
  ...MAIL_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...AUDIT_COMMANDS,
  ...PREFIX_COMMANDS,
  ...LABEL_COMMANDS,
  ...VERIFY_COMMANDS,
  ...COMPLETENESS_COMMANDS,
  ...IMPORT_COMMANDS,
  ...INSTALLATION_COMMANDS,
})

async function main(args: readonly string[]): Promise<number> {
  const name = Object.keys(COMMANDS).find((candidate) =>
    candidate.split(' ').every((part, index) => args[index] === part),
  )
  const isJson = args.includes('--json')
  if (name === undefined) {
    const wantsHelp = args.length === 0 || ['help', '--help', '-h'].includes(args[0] ?? '')
    if (!wantsHelp) console.error(`There is no command "${args.filter((part) => !part.startsWith('-')).join(' ')}".\n`)
    console.log(help())
    return wantsHelp ? 0 : EXIT.usage
  }
  const command = COMMANDS[name] as Command
  if (args.includes('--help')) {
    console.log(`dpp ${name} ${command.usage}\n${command.summary}.`)
    return 0
  }
  let close = async () => {}
  try {
    const { values, positionals } = parse(name, command, args)
    // Whatever the commands print is for pipes; progress goes beside it, and warnings stay quiet unless asked for.
    const config = loadConfig({ LOG_LEVEL: 'fatal', ...process.env })
    const open = async () => {
      const gateway = await openGateway(config, { say: (message) => console.error(message), isServer: false })
      close = gateway.close
      return { cradle: gateway.container.cradle, migrated: gateway.migrated }
    }
    const print = (json: object, line: string) => console.log(isJson ? JSON.stringify(json) : line)
    const outcome = await command.run({ words: positionals, options: values, config, open, print })
    if (outcome === undefined) return 0
    console.log(isJson ? JSON.stringify(outcome.json) : outcome.lines.join('\n'))
    return outcome.exitCode ?? 0
  } catch (error) {
    return fail(error, isJson, `dpp ${name} ${command.usage}`)
  } finally {
    await close()
  }
}

function parse(name: string, command: Command, args: readonly string[]): { values: Options; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(name.split(' ').length),
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries((command.options ?? []).map((option) => [option, { type: 'string' as const }])),
        ...Object.fromEntries((command.flags ?? []).map((flag) => [flag, { type: 'boolean' as const }])),
      },
    })
    if (positionals.length > (command.words ?? 0)) throw new UsageError(`"${positionals.at(-1)}" is one word too many.`)
    return { values: values as Options, positionals }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function fail(error: unknown, isJson: boolean, usage: string): number {
  const isPlain = [UsageError, Unreadable, Problem, ConfigError, PluginError, NotSent].some(
    (kind) => error instanceof kind,
  )
  const message = isPlain ? (error as Error).message : String((error as Error)?.stack ?? error)
  if (isJson) console.log(JSON.stringify({ error: message }))
  else console.error(error instanceof UsageError ? `${message}\nUsage: ${usage}` : message)
  if (error instanceof UsageError) return EXIT.usage
  return error instanceof Unreadable ? EXIT.unreadable : 1
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(18)}${summary}`)
  return `Usage: dpp COMMAND [options] [--json]\n\n${rows.join('\n')}\n\nOptions of a command: dpp COMMAND --help. The environment variables are those of the gateway.`
}

process.exitCode = await main(process.argv.slice(2))
