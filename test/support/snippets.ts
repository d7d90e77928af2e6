import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../src/root.ts'

/** Commands of a page, and what it says that they print. */
interface Step {
  readonly page: string
  /** Of its first command. */
  readonly line: number
  readonly commands: string
  /** Absent where the page shows nothing: anything may be printed then. */
  readonly shown: string | undefined
}

/** What a step printed, as the page shows it where that fits. */
interface Followed {
  readonly step: string
  readonly shown: string | undefined
  readonly printed: string | undefined
}

/** What says in a fence why a test does not run it: ```sh no-run: goes on until it is ended. */
const NOT_RUN = / no-run: \S.*$/
/** Between the outputs of two steps. */
const SEPARATOR = '\u001e'

/** A folder that looks like a fresh clone: everything of the repository is there, and nothing that a gateway keeps. */
export function freshClone(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'dpp-clone-'))
  for (const name of readdirSync(ROOT)) {
    if (!['.git', '.data'].includes(name)) symlinkSync(join(ROOT, name), join(folder, name))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The fences of a page in which commands stand, as they are written. */
export function fencesOf(page: string): { readonly info: string; readonly line: number; readonly text: string }[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8')
  return [...markdown.matchAll(/^```(sh\b.*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: info = '', 2: text = '' }) => ({
    info,
    line: markdown.slice(0, index).split('\n').length + 1,
    text,
  }))
}

/** Whether a fence says in full why it is not run. */
export const isNotRun = ({ info }: { readonly info: string }) => NOT_RUN.test(info)

/**
 * What a page tells its reader to run. Lines that begin with `#` behind a command are what the commands before them print;
 * in them `…` stands for anything, and alone for any number of lines.
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
 * Runs the steps as somebody pastes them: one after another, in one plain shell.
 * @returns what was printed; the steps after one that failed have printed nothing
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
