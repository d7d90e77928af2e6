import { isRecord, type JsonRecord } from './record.ts'

/**
 * For whom a value is: for everybody, for persons with a legitimate interest, for authorities, or for the workspace that
 * issues it. Of the two in the middle neither contains the other (Regulation (EU) 2023/1542, Art. 77(2)).
 */
export type Audience = 'public' | GrantedAudience | 'owner'

/** Those that a capability token makes its holder one of, and that `x-audience` names. */
export const GRANTED_AUDIENCES = ['legitimateInterest', 'authority'] as const
export type GrantedAudience = (typeof GRANTED_AUDIENCES)[number]

/** Who reads: one of an audience. Where a workspace keeps audiences strictly apart, an authority reads less. */
export type Reader = Audience | 'strictAuthority'

/** How much is shown, as the specification counts it (5.10): everything that a token opens is one tier. */
export type Tier = 'public' | 'restricted' | 'owner'

/** The audience that a reader is one of. */
export const audienceOf = (reader: Reader): Audience => (reader === 'strictAuthority' ? 'authority' : reader)

/** The tier that a reader sees. */
export const tierOf = (reader: Reader): Tier => (reader === 'public' || reader === 'owner' ? reader : 'restricted')

/** Whose value it is beside the owner's; without any audience it is the owner's alone. */
export type Audiences = readonly GrantedAudience[]

/** By metadata key that is masked, the audiences that it is for. */
export type AudienceRules = ReadonlyMap<string, Audiences>

/** What was measured of a unit is for legitimate interest (Regulation (EU) 2023/1542, Annex XIII, 4). */
export const MEASURED: Audiences = ['legitimateInterest']

/**
 * Whether what is for these audiences opens to the reader. Both tokens open what specification 5.10 calls restricted, so
 * that an authority reads what is for legitimate interest too, unless the workspace keeps audiences strictly apart. What is
 * for authorities alone no legitimate interest opens anywhere.
 */
export function opensTo(named: Audiences, reader: Reader): boolean {
  if (reader === 'owner') return true
  if (reader === 'authority') return named.length > 0
  return named.some((audience) => audience === audienceOf(reader))
}

/** The one metadata key that only the owner sees, in every category (specification 2.1). */
const OWNER_ONLY_KEY = 'facilityDetails'

/**
 * Which metadata keys of a category are masked from the public, and whom they are for.
 * @param schemas the common one and then the category's own, whose word goes before; `x-audience` is read of their keys
 * @param restrictedKeys keys that a category hides without saying from whom: they open to both tokens
 */
export function audienceRules(
  schemas: readonly (JsonRecord | undefined)[],
  restrictedKeys: readonly string[] = [],
): AudienceRules {
  const stated = schemas.flatMap((schema) =>
    Object.entries(isRecord(schema?.properties) ? schema.properties : {}).flatMap(
      ([key, property]): [string, Audiences][] => {
        const named = isRecord(property) ? property['x-audience'] : undefined
        // What is meant to be hidden and says no audience that there is, is hidden from all.
        return named === undefined ? [] : [[key, isAudienceList(named) ? named : []]]
      },
    ),
  )
  return new Map([...forBoth(restrictedKeys), ...stated, [OWNER_ONLY_KEY, []]])
}

/** Rules of keys that are hidden without a word of whom they are for. */
export const forBoth = (keys: readonly string[]): [key: string, named: Audiences][] =>
  keys.map((key) => [key, GRANTED_AUDIENCES])

/** Whether the value can stand as `x-audience`: at least one audience, each once. */
export const isAudienceList = (value: unknown): value is Audiences =>
  Array.isArray(value) &&
  value.length > 0 &&
  new Set(value).size === value.length &&
  value.every((name) => GRANTED_AUDIENCES.includes(name))
