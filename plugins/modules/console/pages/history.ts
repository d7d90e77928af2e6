import { type Json, textFor } from '../../../../src/plugin/index.ts'
import type { PassportRow } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { Field } from '../editor/fields.ts'
import type { FormValues } from '../editor/form-values.ts'
import { placeOf, textsOf } from '../editor/readable.ts'
import { type DayCount, otherService } from '../other-modules.ts'
import type { Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'
import { STATUS_EXPLAINED, statusMove } from '../status-reason.ts'
import { metadataOfVersions, valueAt } from '../version-rows.ts'
import { formatsOf } from '../view-formats.ts'

/** Versions of a passport with their differences, and its views. */
export default function historyPages(services: Cradle): PageFile {
  const { auditTrail, consoleEditor: editor, consolePeople, database, passportHistory } = services
  return {
    pages: [
      { path: 'passports/{id}/history', needs: 'passport:read', show: showHistory },
      { path: 'passports/{id}/use', needs: 'passport:read', show: showUse },
    ],
  }

  async function showHistory(me: SignedIn, { id, query }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const [history, members, reasons] = await Promise.all([
      passportHistory.read(me.principal, row.id, { before: query.before, limit: '20' }),
      consolePeople.members(me.principal),
      reasonsOf(me, row.id),
    ])
    const numbers = history.versions.map(({ version }) => version)
    const session = database.forTenant(me.principal.tenantId)
    const documents = await metadataOfVersions(session, row.id, Math.min(...numbers) - 1, Math.max(...numbers))
    const people = new Map(members.map(({ personId, name }) => [`person:${personId}`, name]))
    const described = describer(me, row)
    return {
      title: me.t('passport.history.title'),
      trail: trailOf(me, row.id, editor.titleOf(row, me.lang)),
      template: 'passport-history',
      api: `GET /api/v1/passports/${row.id}/history`,
      data: {
        row,
        next: history.nextBefore,
        versions: history.versions.map(({ changes, ...version }) => ({
          ...version,
          changeReason: reasonIn(me, version.changeReason, reasons.get(version.version)),
          changedBy: people.get(version.changedBy ?? '') ?? version.changedBy,
          changes: changes?.map((change) => described(change, documents.get(version.version - 1))),
        })),
      },
    }
  }

  /** Returns the place of a change and its values as the form shows them. */
  function describer(me: SignedIn, { metadata }: Pick<PassportRow, 'metadata'>) {
    const { fields } = editor.formFor(metadata)
    const wording = {
      notation: editor.notation(me.lang),
      t: me.t,
      day: formatsOf(me.lang).day,
      // Values of another form, and those that the gateway supplies, are labelled too.
      control: (field: Field, values: FormValues) =>
        editor.controls([{ ...field, isOtherForm: false, isGiven: false }], { me, metadata, values, errors: [] })[0],
    }
    return ({ op, path, value }: Operation, before: unknown) => {
      const steps = path
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      const { labels, field } = placeOf(fields, steps, wording)
      return {
        op,
        place: labels.join(' › '),
        before: op === 'add' ? [] : textsOf(field, valueAt(before, steps) as Json | undefined, wording).map(shortText),
        value: textsOf(field, value as Json | undefined, wording).map(shortText),
      }
    }
  }

  /** Reasons of status changes by the version that they made; the member may read the passport. */
  async function reasonsOf({ principal }: SignedIn, subject: string): Promise<ReadonlyMap<number, Json>> {
    const whole = { ...principal, operatorId: null }
    const { entries } = await auditTrail.log(whole, { subject, action: STATUS_EXPLAINED, limit: '200' })
    return new Map(
      entries.map(({ detail }) => {
        const { version, reason } = (detail ?? {}) as { readonly version?: number; readonly reason?: Json }
        return [version ?? 0, reason ?? '']
      }),
    )
  }

  async function showUse(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const counted = await otherService(services, 'statistics')?.readPassport(me.principal, row.id, {})
    return {
      title: me.t('passport.use.title'),
      trail: trailOf(me, row.id, editor.titleOf(row, me.lang)),
      template: 'passport-use',
      api: `GET /api/v1/passports/${row.id}/statistics`,
      data: { row, counted, bars: counted === undefined ? [] : barsOf(counted.from, counted.to, counted.days) },
    }
  }
}

const MAX_TEXT = 300

const shortText = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text)

interface Operation {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

/** The person's own reason follows that of the contract. */
function reasonIn({ t, lang }: SignedIn, stated: string | null, given: Json | undefined): string | null {
  const move = statusMove(stated, t)
  if (move === undefined) return stated
  const reason = textFor(given, [lang])
  return [move, ...(reason === undefined ? [] : [reason])].join(' · ')
}

const trailOf = ({ t }: SignedIn, id: string, title: string) => [
  { href: '/console/passports', text: t('nav.passports') },
  { href: `/console/passports/${id}`, text: title },
]

const DAY_MS = 86_400_000

/** One bar per day, as part of the highest. */
function barsOf(from: string, to: string, days: readonly DayCount[]) {
  const counts = new Map(days.map(({ day, total }) => [day, total]))
  const most = Math.max(1, ...days.map(({ total }) => total))
  const bars = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    const total = counts.get(day) ?? 0
    bars.push({ day, total, height: Math.round((100 * total) / most) })
  }
  return bars
}
