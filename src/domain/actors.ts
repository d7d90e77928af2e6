import type { GrantedAudience } from './audience.ts'
import { checkIdentifier, IDENTIFIER_SCHEMES, type IdentifierScheme, isIdentifierScheme } from './identifier-schemes.ts'
import { badRequest } from './problem.ts'
import { dictionary } from './record.ts'
import type { Schema } from './schema.ts'

type ActorKind = Schema<'ActorKind'>

export interface Actor {
  readonly actorKind: ActorKind | null
  /** Null if `identifier` is null. */
  readonly identifierScheme: IdentifierScheme | null
  readonly identifier: string | null
}

interface GivenActor {
  readonly audience?: string | undefined
  readonly actorKind?: string | undefined
  readonly identifierScheme?: string | undefined
  readonly identifier?: string | undefined
}

export interface ActorFault {
  readonly part: 'actorKind' | 'identifier'
  readonly message: string
}

/**
 * Authorities: Regulation (EU) 2023/1542, Art. 77(2)(b); customs: Regulation (EU) 2024/1781, Art. 15; legitimate interest: Art. 77(2)(c) of
 * the former.
 */
const AUDIENCE_OF: Readonly<Record<ActorKind, GrantedAudience>> = dictionary({
  marketSurveillance: 'authority',
  customs: 'authority',
  notifiedBody: 'authority',
  commission: 'authority',
  repairer: 'legitimateInterest',
  recycler: 'legitimateInterest',
  remanufacturer: 'legitimateInterest',
  secondLifeOperator: 'legitimateInterest',
  researcher: 'legitimateInterest',
  owner: 'legitimateInterest',
})
const KINDS = Object.keys(AUDIENCE_OF) as ActorKind[]

export const kindsOf = (audience: GrantedAudience): ActorKind[] =>
  KINDS.filter((kind) => AUDIENCE_OF[kind] === audience)

/** @throws Problem 400 with the first error */
export function actorIn(given: GivenActor, audience: GrantedAudience): Actor {
  const { actor, faults } = readActor(given, audience)
  if (faults[0] !== undefined) throw badRequest(faults[0].message)
  return actor
}

export function readActor(
  given: GivenActor,
  audience: GrantedAudience,
): { readonly actor: Actor; readonly faults: readonly ActorFault[] } {
  const kind = KINDS.find((known) => known === given.actorKind)
  const scheme = isIdentifierScheme(given.identifierScheme) ? given.identifierScheme : undefined
  const faults: (ActorFault | undefined)[] = [
    fault('actorKind', faultOfAudience(given, kind, audience)),
    fault('identifier', faultOfIdentifier(given, scheme)),
  ]
  return {
    actor: { actorKind: kind ?? null, identifierScheme: scheme ?? null, identifier: given.identifier ?? null },
    faults: faults.filter((found) => found !== undefined),
  }
}

const fault = (part: ActorFault['part'], message: string | undefined): ActorFault | undefined =>
  message === undefined ? undefined : { part, message }

/** A token of one audience never opens the data of another (Regulation (EU) 2023/1542, Art. 77(2)). */
function faultOfAudience(
  { audience: named = '', actorKind = '' }: GivenActor,
  kind: ActorKind | undefined,
  audience: GrantedAudience,
): string | undefined {
  if (named !== '' && named !== audience) return cannotBe(`audience ${named}`, audience)
  if (actorKind !== '' && kind === undefined) return `actorKind must be one of ${KINDS.join(', ')}`
  return kind === undefined || AUDIENCE_OF[kind] === audience ? undefined : cannotBe(`actorKind ${kind}`, audience)
}

const cannotBe = (what: string, audience: GrantedAudience): string =>
  `${what} does not fit this grant: its token opens data for ${IN_WORDS[audience]} (Regulation (EU) 2023/1542, Art. 77(2))`

const IN_WORDS: Readonly<Record<GrantedAudience, string>> = {
  legitimateInterest: 'persons with a legitimate interest',
  authority: 'authorities',
}

function faultOfIdentifier(
  { identifierScheme, identifier }: GivenActor,
  scheme: IdentifierScheme | undefined,
): string | undefined {
  if (identifierScheme !== undefined && scheme === undefined) {
    return `identifierScheme must be one of ${IDENTIFIER_SCHEMES.join(', ')}`
  }
  if (scheme === undefined) return identifier === undefined ? undefined : 'identifier needs an identifierScheme'
  if (identifier === undefined) return 'identifierScheme needs an identifier'
  const wrong = checkIdentifier(scheme, identifier)
  return wrong === undefined ? undefined : `identifier: ${wrong}`
}
