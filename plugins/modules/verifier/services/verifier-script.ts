import { readFileSync } from 'node:fs'

/** The scripts of the page as one. */
export default function verifierScript(): string {
  const own = (name: string) => readFileSync(new URL(`../browser/${name}`, import.meta.url), 'utf8')
  return ['seal.js', 'credential.js'].map((name) => withoutModules(own(name))).join('\n')
}

/** A page opened from a file cannot load modules. Modules must be in import order. */
function withoutModules(module: string): string {
  const lines: string[] = []
  let isImport = false
  for (const line of module.split('\n').map((one) => one.trim())) {
    isImport ||= line.startsWith('import ')
    if (!isImport && line !== '' && !isComment(line))
      lines.push(line.startsWith('export ') ? line.slice('export '.length) : line)
    if (isImport && line.includes(" from '")) isImport = false
  }
  return lines.join('\n')
}

const isComment = (line: string) => ['//', '/*', '* ', '*/'].some((mark) => line.startsWith(mark))
