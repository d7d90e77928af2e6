import type { FindStored, ModulePlugin, PassportPart, StoredName } from '../../../src/plugin/index.ts'
import { isGtin14, isUuid } from '../../../src/plugin/module.ts'
import { readPassportId, readProductId } from './identifiers.ts'
import { FORMS, formOf } from './representations.ts'
import { resultOf } from './result.ts'
import { PREFIX, settings } from './settings.ts'

declare module '../../../src/plugin/index.ts' {
  interface PassportParts {
    /** Scheme of the operator's registration id. */
    readonly regIdScheme?: string | null
  }
}

const READ = /^([^/?]+)(?:\?representation=(compressed|full))?$/

/** Reads the rest of an address that names one stored rendition, as most do. */
const stored =
  (find: (id: string, baseUrl: string) => Omit<StoredName, 'format'> | undefined): FindStored =>
  (rest, baseUrl) => {
    const [, segment, form] = READ.exec(rest) ?? []
    if (segment === undefined || segment.length > 2000) return undefined
    try {
      const found = find(decodeURIComponent(segment), baseUrl)
      return found && { ...found, format: FORMS[formOf(form)] }
    } catch {
      return undefined
    }
  }

const regIdScheme: PassportPart<string | null, string> = {
  column: '(select to_json(eo.reg_id_scheme) from operator eo where eo.id = p.operator_id)',
  isInVersions: true,
  view: (scheme) => scheme,
}

export default {
  kind: 'module',
  name: 'en-18222',
  settings,
  passportParts: { regIdScheme },
  api: {
    prefix: PREFIX,
    problem: resultOf,
    publicReads: {
      readDppById: stored((id, baseUrl) => {
        const subject = readPassportId(id, baseUrl)
        return subject && { column: subject.column, value: subject.id }
      }),
      readDppByProductId: stored((id, baseUrl) => {
        const product = isUuid(id) ? undefined : readProductId(id, baseUrl)
        const isPlain = product?.by === 'gtin' && product.serial === undefined && product.batch === undefined
        return isPlain && isGtin14(product.key) ? { column: 'gtin', value: product.key } : undefined
      }),
    },
  },
} satisfies ModulePlugin
