import type { Problem } from '../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  loadUnit,
  type ModuleCradle,
  noPassport,
  noUnit,
  type PassportRow,
  type Principal,
  type Session,
  type UnitRow,
} from '../../../src/plugin/module.ts'
import { type RegistrationFacts, registrationFacts } from './registration-rows.ts'
import {
  isSameEntry,
  type RegistrationCheck,
  type RegistryEntry,
  registryChecks,
  registryEntry,
} from './registry-entry.ts'

export type Kind = 'passport' | 'unit'

/** Passport, or a unit with its passport. */
export interface Subject {
  readonly row: PassportRow
  readonly unit: UnitRow | undefined
  readonly facts: RegistrationFacts
}

interface RegistrationCandidate {
  readonly checks: readonly RegistrationCheck[]
  readonly failed: RegistrationCheck[]
  readonly entry: RegistryEntry
}

export const kindOf = ({ unit }: Subject): Kind => (unit === undefined ? 'passport' : 'unit')

export const idOf = ({ row, unit }: Subject): string => (unit ?? row).id

export const absent = (kind: Kind): Problem => (kind === 'unit' ? noUnit() : noPassport())

/** Skips ids without a subject. */
export async function loadSubjects(
  passportRows: ModuleCradle['passportRows'],
  session: Session,
  ids: readonly string[],
): Promise<Subject[]> {
  const [known, passports, units, products] = await Promise.all([
    registrationFacts(session, ids),
    Promise.all(ids.map((id) => passportRows.load(session, id))),
    Promise.all(ids.map((id) => loadUnit(session, id))),
    Promise.all(ids.map((id) => passportRows.loadOfUnit(session, id))),
  ])
  return ids.flatMap((_, place) => {
    const unit = units[place]
    const row = unit === undefined ? passports[place] : products[place]
    const facts = known.get((unit ?? row)?.id ?? '')
    return row === undefined || facts === undefined ? [] : [{ row, unit, facts }]
  })
}

/** @throws Problem `missing` for another workspace's, 403 for another operator's */
export function assertReadable(principal: Principal, { row, unit }: Subject, missing: () => Problem): void {
  if ((unit ?? row).tenantId !== principal.tenantId) throw missing()
  assertOperatorScope(principal, row.operatorId)
}

export function toCandidate(
  { passportRules, passportViews, unitViews }: Pick<ModuleCradle, 'passportRules' | 'passportViews' | 'unitViews'>,
  { row, unit, facts: { regIdScheme } }: Subject,
): RegistrationCandidate {
  const view = passportViews.view(row, 'public')
  const subject = {
    view,
    regIdScheme,
    findings: passportRules.findings(row.metadata, view.identifier, 'en'),
    sealed: row.seal?.subject ?? null,
    unit: unit && unitViews.outline(unit, row.productId),
  }
  const checks = registryChecks(subject)
  return { checks, failed: checks.filter(({ passed }) => !passed), entry: registryEntry(subject) }
}

/** True if the registry has this entry and seal. */
export const isKnown = ({ row, facts: { registration } }: Subject, entry: RegistryEntry): boolean =>
  registration?.state === 'REGISTERED' &&
  registration.entry !== null &&
  isSameEntry(registration.entry, entry) &&
  registration.hash === row.seal?.merkleRoot
