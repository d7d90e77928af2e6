import { type Commands, UsageError, word } from './command.ts'

const SCRIPTS = new Map(
  Object.entries({
    bash: `_dpp() {
  local IFS=$'\\n'
  COMPREPLY=($(dpp completion next -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
}
complete -o default -F _dpp dpp`,
    zsh: `#compdef dpp
_dpp() {
  local -a found
  found=(\${(f)"$(dpp completion next -- "\${(@)words[2,CURRENT]}" 2> /dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _dpp dpp`,
    fish: "complete -c dpp -a '(dpp completion next -- (commandline -opc)[2..] (commandline -ct) 2> /dev/null)'",
  }),
)

export const completionCommands = (commands: () => Commands): Commands => ({
  completion: {
    summary: 'Print a shell completion script',
    words: ['bash|zsh|fish', '[WORD…]'],
    notes: [
      'bash: eval "$(dpp completion bash)" in ~/.bashrc.  zsh: eval "$(dpp completion zsh)" in ~/.zshrc.',
      'fish: dpp completion fish > ~/.config/fish/completions/dpp.fish',
    ],
    anyWords: true,
    async run({ words }) {
      const [shell, ...typed] = [word(words, 'bash, zsh or fish'), ...words.slice(1)]
      const lines = shell === 'next' ? listCompletions(commands(), typed) : SCRIPTS.get(shell)?.split('\n')
      if (lines === undefined) throw new UsageError(`Unsupported shell "${shell}": use bash, zsh or fish.`)
      return { json: { lines }, lines }
    },
  },
})

/** Completes the last word: command name, option or value. */
export function listCompletions(commands: Commands, typed: readonly string[]): string[] {
  const last = typed.at(-1) ?? ''
  const before = typed.slice(0, -1)
  const beginning = (words: Iterable<string>) => [...new Set(words)].filter((each) => each.startsWith(last)).sort()
  const name = Object.keys(commands).find((each) => each.split(' ').every((part, index) => before[index] === part))
  if (name === undefined) {
    const started = Object.keys(commands).map((each) => each.split(' '))
    return beginning(
      started
        .filter((parts) => parts.length > before.length && before.every((each, index) => each === parts[index]))
        .map((parts) => parts[before.length] as string),
    )
  }
  const options = new Map(Object.entries(commands[name]?.options ?? {}))
  const lastOption = options.get(before.at(-1)?.replace(/^--/, '') ?? '')
  if (lastOption?.value !== undefined && before.at(-1)?.startsWith('--')) return beginning(lastOption.values ?? [])
  if (!last.startsWith('-')) return []
  const left = [...options.keys(), 'json', 'help'].map((option) => `--${option}`)
  return beginning(left.filter((option) => !before.includes(option)))
}
