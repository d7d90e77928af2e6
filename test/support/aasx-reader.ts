import { posix } from 'node:path'
import { readAasXml } from '../../plugins/modules/imports/tables/aas-xml-reader.ts'
import { filesInZip } from './zip-reader.ts'

const RELATIONSHIPS = 'http://admin-shell.io/aasx/relationships'

export async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const files = await filesInZip(bytes)
  return new Map([...files].map(([name, content]) => [name, content.toString()]))
}

export function readXml(text: string | Buffer): Readonly<Record<string, unknown>> {
  const steps = readAasXml(Buffer.from(text))
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value.document
  }
}

/** Environments that the package's relationships lead to (IDTA-01005, ISO/IEC 29500-2). */
export async function environmentsOf(bytes: Buffer): Promise<unknown[]> {
  const parts = await unzip(bytes)
  const types = parts.get('[Content_Types].xml') ?? ''
  const typeOf = (name: string) =>
    new RegExp(`PartName="/${name}" ContentType="([^"]+)"`).exec(types)?.[1] ??
    new RegExp(`Extension="${name.split('.').at(-1)}" ContentType="([^"]+)"`).exec(types)?.[1]
  const follow = (source: string, type: string) => {
    const rels = parts.get(posix.join(posix.dirname(source), '_rels', `${posix.basename(source)}.rels`)) ?? ''
    return [...rels.matchAll(/<Relationship Id="[^"]+" Type="([^"]+)" Target="([^"]+)"\/>/g)]
      .filter(([, found]) => found === `${RELATIONSHIPS}/${type}`)
      .map(([, , target = '']) => posix.resolve('/', posix.dirname(source), target).slice(1))
      .map((name) => {
        if (!parts.has(name) || typeOf(name) === undefined)
          throw new Error(`${source} leads to ${name}, which is no part.`)
        return name
      })
  }
  return follow('', 'aasx-origin')
    .flatMap((origin) => follow(origin, 'aas-spec'))
    .map((name) => {
      const text = parts.get(name) as string
      return name.endsWith('.xml') ? readXml(text) : JSON.parse(text)
    })
}
