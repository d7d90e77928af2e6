import { isRecord } from '../../../src/plugin/index.ts'
import { needed, orUndefined, Skipped } from './finding.ts'
import type { Probe } from './probe.ts'
import type { Reply } from './reply.ts'
import { linksOf } from './rules/linkset.ts'

// Formats of a passport, by negotiation or by the link set.

const FORMATS = {
  html: ['text/html'],
  jsonLd: ['application/ld+json'],
  aas: ['application/aas+json', 'application/asset-administration-shell+json'],
  vcJwt: ['application/vc+jwt'],
  dataIntegrity: ['application/vc+ld+json', 'application/vc'],
  sdJwt: ['application/dc+sd-jwt', 'application/vc+sd-jwt'],
} as const
export type Format = keyof typeof FORMATS

export const passportUrlOf = ({ target }: Probe): string =>
  needed(target.passportUrl, 'the address of the passport is unknown')

/** A passport in one format. @throws Skipped if the service does not offer it */
export async function formOf(probe: Probe, format: Format): Promise<Reply> {
  const types: readonly string[] = FORMATS[format]
  for (const accept of types) {
    const reply = await probe.follow(passportUrlOf(probe), { accept })
    if (reply.status === 200 && types.includes(reply.type)) return reply
  }
  const link = (await linksIn(probe)).find(({ type }) => types.includes(String(type)))
  if (link !== undefined) {
    const reply = await probe.follow(String(link.href), { accept: String(link.type) })
    if (reply.status === 200 && types.includes(reply.type)) return reply
  }
  throw new Skipped(`the service offers no ${types[0]}`)
}

/** A format, or undefined if it is not offered. */
export const maybeForm = (probe: Probe, format: Format) => orUndefined(formOf(probe, format))

/** Links of the passport's link set; empty without one. */
async function linksIn(probe: Probe) {
  const url = new URL(passportUrlOf(probe))
  url.searchParams.set('linkType', 'linkset')
  const reply = await probe.follow(url.href, { accept: 'application/linkset+json' })
  const document = reply.status === 200 ? reply.maybeRecord() : undefined
  return isRecord(document) ? linksOf(document).map(({ link }) => link) : []
}
