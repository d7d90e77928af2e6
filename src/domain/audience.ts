import { isRecord, type JsonRecord } from './record.ts'

/** Audience of a value. Legitimate interest and authority do not contain each other (Regulation (EU) 2023/1542, Art. 77(2)). */
export type Audience = 'public' | GrantedAudience | 'owner'

export const GRANTED_AUDIENCES = ['legitimateInterest', 'authority'] as const
export type GrantedAudience = (typeof GRANTED_AUDIENCES)[number]

/** Audience of the reader. A `strictAuthority` does not see legitimate-interest data. */
export type Reader = Audience | 'strictAuthority'

/** Disclosure level (specification 5.10). */
export type Tier = 'public' | 'restricted' | 'owner'

export const audienceOf = (reader: Reader): Audience => (reader === 'strictAuthority' ? 'authority' : reader)

export const tierOf = (reader: Reader): Tier => (reader === 'public' || reader === 'owner' ? reader : 'restricted')

/** Empty: owner only. */
export type Audiences = readonly GrantedAudience[]

export type AudienceRules = ReadonlyMap<string, Audiences>

/** Measurements of a unit (Regulation (EU) 2023/1542, Annex XIII, 4). */
export const MEASURED: Audiences = ['legitimateInterest']

/**
 * True if the reader can see a value for these audiences. Authorities also see legitimate-interest data (specification 5.10) unless strict.
 * Legitimate interest never sees authority data.
 */
export function opensTo(named: Audiences, reader: Reader): boolean {
  if (reader === 'owner') return true
  if (reader === 'authority') return named.length > 0
  return named.some((audience) => audience === audienceOf(reader))
}

/** Like {@link opensTo}; an empty audience is public. */
export const isOpenTo = (named: Audiences, reader: Reader): boolean => named.length === 0 || opensTo(named, reader)

/** Owner-only key in every category (specification 2.1). */
const OWNER_ONLY_KEY = 'facilityDetails'

/**
 * @param schemas the category's has precedence
 * @param restrictedKeys masked keys without a stated audience: both tokens open them
 */
export function audienceRules(
  schemas: readonly (JsonRecord | undefined)[],
  restrictedKeys: readonly string[] = [],
): AudienceRules {
  const stated = schemas.flatMap((schema) =>
    Object.entries(isRecord(schema?.properties) ? schema.properties : {}).flatMap(
      ([key, property]): [string, Audiences][] => {
        const named = isRecord(property) ? property['x-audience'] : undefined
        // An invalid audience hides the key from all.
        return named === undefined ? [] : [[key, isAudienceList(named) ? named : []]]
      },
    ),
  )
  return new Map([...forBoth(restrictedKeys), ...stated, [OWNER_ONLY_KEY, []]])
}

export const forBoth = (keys: readonly string[]): [key: string, named: Audiences][] =>
  keys.map((key) => [key, GRANTED_AUDIENCES])

export const isAudienceList = (value: unknown): value is Audiences =>
  Array.isArray(value) &&
  value.length > 0 &&
  new Set(value).size === value.length &&
  value.every((name) => GRANTED_AUDIENCES.includes(name))
