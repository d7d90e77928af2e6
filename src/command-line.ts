import { parseArgs } from 'node:util'
import { AUDIT_COMMANDS } from './commands/audit.ts'
import { type Command, type Commands, EXIT, type Options, type Outcome, UsageError } from './commands/command.ts'
import { completionCommands } from './commands/completion.ts'
import { CREDENTIAL_COMMANDS } from './commands/credentials.ts'
import { GRANT_COMMANDS } from './commands/grant.ts'
import { helpOfAll, helpOfCommand, helpOfGroup, linesOf, usageOf } from './commands/help.ts'
import { INSTALLATION_COMMANDS } from './commands/installation.ts'
import { PREFIX_COMMANDS } from './commands/prefix.ts'
import { failureOf } from './commands/remote.ts'
import { SEAL_CA_COMMANDS } from './commands/seal-ca.ts'
import { VERIFY_COMMANDS } from './commands/verify.ts'
import { WORKSPACE_COMMANDS } from './commands/workspace.ts'
import { dictionary } from './domain/record.ts'
import { nearestOf } from './domain/unknown-keys.ts'
import { fileFault } from './outside/files.ts'
import { loadCommands } from './plugin/commands.ts'
import { PluginError, pluginEntries } from './plugin/locate.ts'
import { VERSION } from './root.ts'

const COMMANDS: Commands = dictionary<Command>({
  ...GRANT_COMMANDS,
  ...VERIFY_COMMANDS,
  ...WORKSPACE_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...SEAL_CA_COMMANDS,
  ...AUDIT_COMMANDS,
  ...PREFIX_COMMANDS,
  ...INSTALLATION_COMMANDS,
})

/** Commands of the gateway and its modules. If a plugin is faulty: of the modules in this repository, and with a warning. */
async function commandsOf({ env, tell }: Terminal): Promise<Commands> {
  const load = (plugins?: string) => loadCommands(pluginEntries(plugins), Object.keys(COMMANDS))
  const ofModules = await load(env.PLUGINS).catch((error) => {
    if (!(error instanceof PluginError)) throw error
    tell(`Commands of PLUGINS are not available: ${error.message}`)
    return load()
  })
  const commands: Commands = dictionary<Command>({
    ...COMMANDS,
    ...ofModules,
    ...completionCommands(() => commands),
  })
  return commands
}

interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** True if output goes to a person. */
  readonly isTerminal: boolean
  print(text: string): void
  /** Writes progress and errors. */
  tell(text: string): void
}

/**
 * Runs one command.
 * @param args without the program
 * @returns exit code
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const commands = await commandsOf(terminal)
  const name = Object.keys(commands).find((candidate) =>
    candidate.split(' ').every((part, index) => args[index] === part),
  )
  if (name === undefined) return withoutCommand(commands, args, terminal)
  const command = commands[name] as Command
  if (args.includes('--help') || args.includes('-h')) {
    terminal.print(helpOfCommand(name, command))
    return 0
  }
  const { env, isTerminal, tell } = terminal
  const isJson = args.includes('--json')
  let close = async () => {}
  // Loaded on demand: takes most of a second.
  const config = async () => {
    const { loadConfig } = await import('./start/config.ts')
    // Output may be piped, so warnings are off by default.
    return loadConfig({ LOG_LEVEL: 'fatal', ...env })
  }
  const open = async () => {
    const { openGateway } = await import('./start/gateway.ts')
    const gateway = await openGateway(await config(), { report: tell, isServer: false })
    close = gateway.close
    return { cradle: gateway.container.cradle as never, migrated: gateway.migrated }
  }
  const print = (json: object, line: string) => terminal.print(isJson ? JSON.stringify(json) : line)
  try {
    const { values, positionals } = parse(name, command, args)
    const given = { words: positionals, options: values, env, isTerminal }
    const outcome = await command.run({ ...given, config, open, print, tell })
    if (outcome === undefined) return 0
    show(outcome, isJson, terminal)
    return outcome.exitCode ?? 0
  } catch (error) {
    return fail(error, isJson, usageOf(name, command), terminal)
  } finally {
    await close()
  }
}

function withoutCommand(commands: Commands, args: readonly string[], { print, tell }: Terminal): number {
  const words = args.filter((part) => !part.startsWith('-'))
  if (args[0] === '--version' || args[0] === 'version') {
    print(VERSION)
    return 0
  }
  const isHelp = args.length === 0 || args.includes('--help') || args.includes('-h') || words[0] === 'help'
  const topic = words.filter((word) => word !== 'help')
  const name = topic.join(' ')
  const command = commands[name]
  const help =
    topic.length === 0 ? helpOfAll(commands) : command ? helpOfCommand(name, command) : helpOfGroup(commands, name)
  const isJson = args.includes('--json')
  if (help !== undefined && (isHelp || (topic.length > 0 && !isJson))) {
    print(help)
    return isHelp ? 0 : EXIT.usage
  }
  const groups = Object.keys(commands).map((each) => each.split(' ', 1)[0] as string)
  const near = nearestOf(topic.slice(0, 2).join(' '), Object.keys(commands)) ?? nearestOf(topic[0] ?? '', groups)
  const hint = near === undefined ? 'Run dpp --help for a list.' : `Did you mean "${near}"?`
  const error =
    help === undefined || topic.length === 0
      ? `Unknown command "${name || args.join(' ')}". ${hint}`
      : `"${name}" is a group of commands. Run dpp ${name} --help for a list.`
  if (isJson) print(JSON.stringify({ error }))
  else tell(error)
  return EXIT.usage
}

function show({ json, lines, table }: Outcome, isJson: boolean, { isTerminal, print }: Terminal): void {
  const rows = table === undefined ? [] : linesOf(table, isTerminal)
  const shown = isJson ? [JSON.stringify(json)] : [...rows, ...(lines ?? [])]
  if (shown.length > 0) print(shown.join('\n'))
}

function parse(name: string, command: Command, args: readonly string[]): { values: Options; positionals: string[] } {
  const known = Object.entries({ ...command.options, json: { meaning: '' } } as NonNullable<Command['options']>)
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(name.split(' ').length),
      allowPositionals: true,
      options: Object.fromEntries(
        known.map(([option, { value }]) => [option, { type: value === undefined ? 'boolean' : 'string' } as const]),
      ),
    })
    if (!command.anyWords && positionals.length > (command.words?.length ?? 0)) {
      throw new UsageError(`Unexpected argument "${positionals.at(-1)}".`)
    }
    for (const [option, { values: all }] of known) {
      const given = values[option]
      if (all === undefined || given === undefined || all.includes(String(given))) continue
      throw new UsageError(`--${option} must be one of: ${all.join(', ')}.`)
    }
    return { values: values as Options, positionals }
  } catch (error) {
    throw new UsageError(explained(error as NodeJS.ErrnoException, known))
  }
}

function explained({ code, message }: NodeJS.ErrnoException, known: readonly [string, { value?: string }][]): string {
  const [, option = ''] = /'(?:-\w, )?--([^' ]+)/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearestOf(
      option,
      known.map(([name]) => name),
    )
    const unknown = message.split('. ', 1)[0]?.replace(/\.$/, '')
    return `${unknown}.${near === undefined ? '' : ` Did you mean --${near}?`}`
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const value = known.find(([name]) => name === option)?.[1].value
    return value === undefined ? `--${option} takes no value.` : `--${option} needs a value: ${value}.`
  }
  return message
}

const EXIT_OF = dictionary<number>({
  UsageError: EXIT.usage,
  Unreadable: EXIT.unreadable,
  Problem: EXIT.no,
  ConfigError: EXIT.no,
  PluginError: EXIT.no,
  NotSent: EXIT.no,
})

function fail(error: unknown, isJson: boolean, usage: string, { print, tell }: Terminal): number {
  const remote = failureOf(error)
  if (remote !== undefined) {
    if (isJson) print(JSON.stringify(remote.json))
    else tell(remote.lines?.join('\n') ?? '')
    return remote.exitCode ?? EXIT.no
  }
  const { name, message, stack } = error as Error
  const ofFile = fileFault(error as NodeJS.ErrnoException)
  const exit = ofFile === undefined ? EXIT_OF[name] : EXIT.unreadable
  const errorText = ofFile ?? (exit === undefined ? String(stack ?? error) : message)
  if (isJson) print(JSON.stringify({ error: errorText }))
  else tell(error instanceof UsageError ? `${errorText}\nUsage: ${usage}` : errorText)
  return exit ?? EXIT.no
}
