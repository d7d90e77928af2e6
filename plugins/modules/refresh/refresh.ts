import { yieldTurn } from '../../../src/plugin/index.ts'
import { CANDIDATE_COLUMNS, type Candidate, type ModuleCradle, type Statement } from '../../../src/plugin/module.ts'

type Services = Pick<ModuleCradle, 'database' | 'log' | 'plugins' | 'renditions' | 'renditionStore'>

interface Stored extends Candidate {
  readonly representation: string
  readonly variant: string
  readonly generations: readonly string[]
}

const PASSPORTS = 200
/** Per run, so that it takes a twentieth of a processor. */
const MAX_RENDERED = 2000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const STORED: Statement = {
  name: 'refresh-stored',
  text: `select ${CANDIDATE_COLUMNS}, r.representation, r.variant, array_agg(r.generation) as generations
    from (select id, tenant_id, operator_id, status, version, category from passport where id > $1 and status <> 'DRAFT' order by id limit $2) p
      left join rendition r on r.passport_id = p.id and r.version = p.version and r.tier = 'public' and r.key_number = 0
    group by p.id, p.tenant_id, p.operator_id, p.status, p.version, p.category, r.representation, r.variant
    order by p.id`,
}

/** Passports up to here have been seen by this process; undefined after the last one. */
let after: string | undefined = FIRST_ID

/** Begins with the first passport again. */
export function restart(): void {
  after = FIRST_ID
}

/** Renders what other code has rendered again, once after the start, passport by passport. */
export async function refresh(services: Services): Promise<void> {
  for (let rendered = 0; after !== undefined && rendered < MAX_RENDERED; ) {
    const rows = await services.database.lookup.run<Stored>(STORED, [after, PASSPORTS])
    for (const row of rows) rendered += await render(services, row)
    after = rows.at(-1)?.id
  }
}

/** Returns the number of renderings: 0 if the stored one is current, or its format is not loaded. */
async function render({ plugins, renditions, renditionStore, log }: Services, row: Stored): Promise<0 | 1> {
  const { representation, variant, generations, ...candidate } = row
  const plugin = plugins.representations.find(({ name }) => name === representation)
  if (plugin === undefined || plugin.isSigned === true) return 0
  if (generations.includes(renditionStore.generationOf(representation))) return 0
  try {
    await renditions.of(candidate, 'public', { isSigned: false, plugin }, variant)
  } catch (error) {
    log.warn({ err: error, passportId: row.id, representation }, 'a rendition was not refreshed')
  }
  await yieldTurn()
  return 1
}
