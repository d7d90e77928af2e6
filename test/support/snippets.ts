import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../src/root.ts'

/** Commands of a page and their shown output. */
interface Step {
  readonly page: string
  readonly line: number
  readonly commands: string
  /** Absent if the page shows nothing: any output is accepted. */
  readonly shown: string | undefined
}

interface Followed {
  readonly step: string
  readonly shown: string | undefined
  readonly printed: string | undefined
}

/** Reason in a fence for not running it: ```sh no-run: runs until it is stopped. */
const NOT_RUN = / no-run: \S.*$/
/** Separates the outputs of steps. */
const SEPARATOR = '\u001e'

/**
 * Puts `npm` into a folder for `PATH` that runs `npm run -s dpp -- …` as npm does, without the half second that npm needs,
 * and leaves other commands to npm.
 * @returns the folder
 */
export function quickNpm(folder: string): string {
  const bin = join(folder, 'quick-npm')
  mkdirSync(bin)
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const script = `#!/bin/sh
if [ "$1 $2 $3 $4" = 'run -s dpp --' ]; then shift 4; exec ${scripts.dpp.replace('node', process.execPath)} "$@"; fi
PATH="\${PATH#*:}"; exec npm "$@"
`
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 })
  return bin
}

/** A folder like a fresh clone, without data of a gateway. */
export function freshClone(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'dpp-clone-'))
  for (const name of readdirSync(ROOT)) {
    if (!['.git', '.data'].includes(name)) symlinkSync(join(ROOT, name), join(folder, name))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Fences of a page with commands, unmodified. */
export function fencesOf(page: string): { readonly info: string; readonly line: number; readonly text: string }[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8')
  return [...markdown.matchAll(/^```(sh\b.*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: info = '', 2: text = '' }) => ({
    info,
    line: markdown.slice(0, index).split('\n').length + 1,
    text,
  }))
}

export const isNotRun = ({ info }: { readonly info: string }) => NOT_RUN.test(info)

/**
 * Commands that a page asks its reader to run. Lines after a command that begin with `#` are its output; `…` matches
 * anything, and a line `…` any number of lines.
 */
export function stepsOf(page: string): Step[] {
  return fencesOf(page)
    .filter((fence) => !isNotRun(fence))
    .flatMap(({ line, text }) => {
      const steps: Step[] = []
      let [commands, shown, first] = [[] as string[], [] as string[], line]
      const finish = (next: number) => {
        if (commands.length > 0) {
          steps.push({
            page,
            line: first,
            commands: commands.join('\n'),
            shown: shown.length === 0 ? undefined : shown.join('\n'),
          })
        }
        ;[commands, shown, first] = [[], [], next]
      }
      for (const [index, content] of text.trimEnd().split('\n').entries()) {
        if (content.startsWith('#') && commands.length > 0) shown.push(content.replace(/^# ?/, ''))
        else {
          if (shown.length > 0) finish(line + index)
          commands.push(content)
        }
      }
      finish(line)
      return steps
    })
}

/**
 * Runs the steps in one plain shell, as pasted.
 * @returns their outputs, empty after a failed step
 */
export async function follow(
  steps: readonly Step[],
  { folder, env }: { readonly folder: string; readonly env: Record<string, string> },
): Promise<{ readonly followed: Followed[]; readonly stderr: string }> {
  const script = join(folder, 'pasted.sh')
  writeFileSync(script, steps.map(({ commands }) => `${commands}\nprintf '${SEPARATOR}'\n`).join(''))
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile('/bin/sh', ['-eu', script], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    ).stdin?.end()
  })
  const outputs = stdout.split(SEPARATOR)
  const followed = steps.map(({ page, line, shown, commands }, index) => {
    const output = index < outputs.length - 1 ? outputs[index]?.trimEnd() : undefined
    const fits = output !== undefined && (shown === undefined || asPattern(shown).test(output))
    return { step: `${page}:${line} ${commands}`, shown, printed: fits ? shown : (output ?? 'The shell has ended.') }
  })
  return { followed, stderr }
}

function asPattern(shown: string): RegExp {
  const lines = shown.split('\n').map((line) => (line === '…' ? '[^]*' : line.split('…').map(escaped).join('.*')))
  return new RegExp(`^${lines.join('\n')}$`)
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
