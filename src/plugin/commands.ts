import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command, Commands } from '../commands/command.ts'
import { locate, PluginError } from './locate.ts'

/**
 * Loads the commands of modules (default exports of `commands/*`), and nothing else of them.
 * @param entries of `PLUGINS`
 * @param taken names of commands of the gateway
 * @throws PluginError if two commands have the same name
 */
export async function loadCommands(
  entries: readonly string[],
  taken: readonly string[] = [],
  from = process.cwd(),
): Promise<Commands> {
  const loaded = new Map<string, Command>()
  for (const { folder } of entries.flatMap((entry) => locate(entry, from))) {
    for (const file of commandFiles(join(folder, 'commands'))) {
      const { default: commands } = (await import(pathToFileURL(file).href)) as { default: Commands }
      for (const [name, command] of Object.entries(commands)) {
        if (loaded.has(name) || taken.includes(name))
          throw new PluginError(`${file}: command "${name}" already exists. Rename it.`)
        loaded.set(name, command)
      }
    }
  }
  return Object.fromEntries(loaded)
}

function commandFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => /\.(ts|js)$/.test(file) && !/\.(test|d)\.ts$/.test(file))
  return files.sort().map((file) => join(folder, file))
}
