import { isDeepStrictEqual } from 'node:util'
import { type Check, firstOf, needed, Skipped, shown, unless } from '../check.ts'
import { byDate, compressed, dppIdOf, offered } from '../en18222.ts'
import type { Probe } from '../probe.ts'
import { type Reply, statusOf, typeOf } from '../reply.ts'

const CLAUSE = 'EN 18222, 4.4, Table 3'

/** EN 18221, 4.2 lets a service restrict archived versions. */
async function at(probe: Probe, date: string): Promise<Reply> {
  const reply = offered(await probe.get(byDate(probe, date)), 'ReadDPPVersionByIdAndDate')
  if (reply.status === 401 || reply.status === 403) throw new Skipped('the service restricts versions (EN 18221, 4.2)')
  return reply
}

const nowOf = ({ session }: Probe) => session.startedAt.toISOString()

/** Seconds are the form that every service accepts. */
const secondsOf = (probe: Probe) => nowOf(probe).replace(/\.\d+Z$/, 'Z')

/** Applies if the present version is found. */
const accepted = (name: string, toDate: (probe: Probe) => string, title: string): Check => ({
  id: `en18222-versions.${name}`,
  clause: 'EN 18222, 4.4; ISO 8601-1',
  title,
  async run(probe) {
    needed((await at(probe, secondsOf(probe))).status === 200 || undefined, 'the present version is not found')
    return statusOf(await at(probe, toDate(probe)), 200)
  },
})

const rejected = (name: string, date: string, title: string): Check => ({
  id: `en18222-versions.${name}`,
  clause: 'EN 18222, 4.4 and Table 15',
  title,
  run: async (probe) => statusOf(await at(probe, date), 400),
})

/** ReadDPPVersionByIdAndDate. */
export const VERSION_CHECKS: readonly Check[] = [
  {
    id: 'en18222-versions.now',
    clause: CLAUSE,
    title: 'ReadDPPVersionByIdAndDate returns the present version',
    should: true,
    async run(probe) {
      const reply = await at(probe, secondsOf(probe))
      return firstOf(statusOf(reply, 200), typeOf(reply, 'application/json'))
    },
  },
  {
    id: 'en18222-versions.identifier',
    clause: CLAUSE,
    title: 'A version has the identifier of its passport',
    async run(probe) {
      const reply = await at(probe, secondsOf(probe))
      needed(reply.status === 200 || undefined, 'the present version is not found')
      const { digitalProductPassportId: id } = reply.record()
      return unless(id === dppIdOf(probe), `digitalProductPassportId is ${shown(id)}.`)
    },
  },
  {
    id: 'en18222-versions.present-content',
    clause: CLAUSE,
    title: 'The present version is the passport',
    async run(probe) {
      const reply = await at(probe, secondsOf(probe))
      needed(reply.status === 200 || undefined, 'the present version is not found')
      return unless(isDeepStrictEqual(reply.record(), await compressed(probe)), 'The documents differ.')
    },
  },
  {
    id: 'en18222-versions.at-its-time',
    clause: CLAUSE,
    title: 'The version of lastUpdated is the present version',
    async run(probe) {
      needed((await at(probe, secondsOf(probe))).status === 200 || undefined, 'the present version is not found')
      const { lastUpdated } = await compressed(probe)
      const time = needed(typeof lastUpdated === 'string' ? lastUpdated : undefined, 'lastUpdated is not a text')
      const reply = await at(probe, time)
      const fault = statusOf(reply, 200)
      return (
        fault ?? unless(reply.record().lastUpdated === time, `lastUpdated is ${shown(reply.record().lastUpdated)}.`)
      )
    },
  },
  accepted('fraction', nowOf, 'A date with a fraction of a second is accepted'),
  accepted('microseconds', (probe) => nowOf(probe).replace('Z', '000Z'), 'A date with microseconds is accepted'),
  accepted('offset', (probe) => secondsOf(probe).replace('Z', '+00:00'), 'A date with an offset is accepted'),
  {
    id: 'en18222-versions.before-first',
    clause: CLAUSE,
    title: 'Before the first version, no version is found',
    run: async (probe) => statusOf(await at(probe, '1970-01-01T00:00:00Z'), 404),
  },
  rejected('bad-date', 'yesterday', 'A date that is not a timestamp is a bad request'),
  rejected('no-such-day', '2026-02-30T25:00:00Z', 'A time that does not exist is a bad request'),
  rejected('other-format', '12/31/2024', 'A date in another format is a bad request'),
  {
    id: 'en18222-versions.no-date',
    clause: CLAUSE,
    title: 'A request without a date is a bad request',
    async run(probe) {
      const url = byDate(probe, '').replace(/\?.*$/, '')
      const reply = offered(await probe.get(url), 'ReadDPPVersionByIdAndDate')
      return statusOf(reply, 400, 401, 403)
    },
  },
  {
    id: 'en18222-versions.unknown',
    clause: CLAUSE,
    title: 'A version of an unknown passport is not found',
    async run(probe) {
      const url = byDate(probe, secondsOf(probe)).replace('?', 'unknown?')
      return statusOf(offered(await probe.get(url), 'ReadDPPVersionByIdAndDate'), 404, 401, 403)
    },
  },
]
