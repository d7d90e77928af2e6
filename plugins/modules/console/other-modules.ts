import type { Json } from '../../../src/plugin/index.ts'
import type { PassportRow, Principal } from '../../../src/plugin/module.ts'

/** Services of other modules that the console uses; undefined if the module is not loaded. */
interface OtherServices {
  readonly statistics: {
    readPassport(
      principal: Principal,
      id: string,
      query: object,
    ): Promise<{
      readonly tracking: boolean
      readonly total: number
      readonly from: string
      readonly to: string
      readonly days: readonly DayCount[]
    }>
  }
  readonly labels: {
    print(principal: Principal, request: object): Promise<LabelFile | { readonly job: { readonly id: string } }>
  }
  readonly passportTables: {
    exportFile(principal: Principal, format: string, filters: object): TableFile
    exportRows(principal: Principal, rows: readonly PassportRow[]): TableFile
    template(category: string, format: 'csv' | 'xlsx', lang: string): TableFile
    columns(category: string | undefined, lang: string): readonly ImportColumn[]
    isColumn(key: string): boolean
  }
  readonly imports: {
    add(principal: Principal, request: object): Promise<{ readonly import: ImportState; readonly isRepeated: boolean }>
    list(principal: Principal): Promise<{ readonly imports: readonly ImportState[] }>
    toCorrect(principal: Principal): Promise<readonly ImportState[]>
    find(principal: Principal, id: string): Promise<{ readonly import: ImportState }>
    errorsFile(principal: Principal, id: string): Promise<AsyncIterable<Uint8Array>>
    preview(principal: Principal, id: string): Promise<readonly TablePreview[] | undefined>
    repeat(principal: Principal, id: string, changes: object): Promise<{ readonly import: ImportState }>
  }
  readonly registrations: {
    readonly isOn: boolean
    read(principal: Principal, kind: 'passport', id: string): Promise<RegistrationState>
    request(principal: Principal, kind: 'passport', id: string): Promise<RegistrationState>
    exportFile(
      principal: Principal,
      ids: readonly string[],
      format: 'json' | 'xml',
    ): Promise<{ readonly contentType: string; readonly text: string }>
    failed(principal: Principal): Promise<readonly FailedRegistration[]>
  }
  readonly journeys: {
    read(principal: Principal, id: string): Promise<JourneyState>
    newestEvent(principal: Principal, id: string): Promise<string | undefined>
    publish(principal: Principal, id: string, input: object): Promise<object>
    withdraw(principal: Principal, id: string): Promise<void>
  }
  readonly traceability: {
    screening(principal: Principal, eventId: string): Promise<Screening>
  }
  readonly brands: {
    read(workspaceId: string): Promise<{ readonly accent: string | null; readonly logo: string | null }>
    set(workspaceId: string, brand: object, actor: Principal): Promise<object>
  }
  readonly links: {
    list(principal: Principal, id: string): Promise<{ readonly links: readonly LinkState[] }>
    add(principal: Principal, id: string, link: object): Promise<object>
    accept(principal: Principal, id: string): Promise<object>
    decline(principal: Principal, id: string): Promise<void>
    remove(principal: Principal, id: string): Promise<void>
  }
  readonly handovers: {
    offerPassport(
      principal: Principal,
      id: string,
      input: object,
    ): Promise<{ readonly code: string; readonly expiresAt: string }>
  }
  readonly media: {
    list(principal: Principal, id: string): Promise<{ readonly media: readonly Medium[] }>
    add(principal: Principal, id: string, upload: object): Promise<{ readonly medium: Medium }>
    remove(principal: Principal, id: string, mediaId: string): Promise<void>
    file(
      caller: { readonly principal: Principal },
      mediaId: string,
      name: string,
    ): Promise<{ readonly mediaType: string; readonly body: () => Promise<Uint8Array | AsyncIterable<Uint8Array>> }>
  }
}

export interface DayCount {
  readonly day: string
  readonly total: number
}

interface LabelFile {
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
  readonly contentType: string
}

interface TableFile {
  readonly body: AsyncIterable<Uint8Array>
  readonly contentType: string
}

export interface ImportColumn {
  readonly key: string
  readonly label: string
}

/** Heading of a stored table, with texts below it. */
export interface TablePreview {
  readonly heading: string
  /** Chosen before; empty to ignore the column. */
  readonly key?: string | undefined
  readonly samples: readonly string[]
}

interface ImportState {
  readonly id: string
  readonly status: string
  readonly format: string
  readonly dryRun: boolean
  readonly draft: boolean
  readonly category?: string | undefined
  readonly operatorId?: string | undefined
  readonly rows: {
    readonly total: number | null
    readonly read: number
    readonly created: number
    readonly refused: number
  }
  readonly progress: number
  readonly errors: readonly {
    readonly row?: number | undefined
    readonly message?: string | undefined
    readonly cell?: string | undefined
  }[]
  readonly remarks: readonly { readonly message?: string | undefined }[]
  readonly passports: readonly { readonly id: string; readonly productId: string }[]
  readonly failure?: string | undefined
  readonly createdAt: string
}

interface RegistrationState {
  readonly checks: readonly { readonly code: string; readonly passed: boolean; readonly clause: string }[]
  readonly registration: {
    readonly state: string
    readonly reason: string | null
    readonly identifier: string | null
  } | null
}

interface FailedRegistration {
  readonly passportId: string
  readonly productId: string
  readonly reason: string | null
}

interface JourneySteps {
  readonly steps: readonly {
    readonly stage: string
    readonly time: string
    readonly place: { readonly name: string | null; readonly country: string | null; readonly uri: string | null }
  }[]
  readonly isCut: boolean
}

interface JourneyState {
  readonly journey: JourneySteps | null
  readonly unnamedPlaces: readonly string[]
  readonly published: (JourneySteps & { readonly publishedAt: string; readonly audience: readonly string[] }) | null
}

interface Screening {
  readonly matches: readonly { readonly list: string; readonly value: string; readonly reason: string }[]
  readonly notScreened: readonly { readonly eventId: string; readonly list: string; readonly reason: string }[]
  readonly screened: readonly { readonly id: string; readonly title: string; readonly date: string }[]
  readonly truncated: boolean
}

interface LinkState {
  readonly id: string
  readonly rel: string
}

interface Medium {
  readonly id: string
  readonly kind: 'picture' | 'document'
  readonly title?: unknown
  readonly url: string
  /** Description of a document for the metadata. */
  readonly entry?: Json | undefined
}

const HOME: Readonly<Record<keyof OtherServices, string>> = {
  statistics: 'statistics',
  labels: 'labels',
  passportTables: 'imports',
  imports: 'imports',
  registrations: 'registry',
  journeys: 'traceability',
  traceability: 'traceability',
  brands: 'media',
  links: 'links',
  handovers: 'links',
  media: 'media',
}

/** Returns a service of a module that may not be loaded. */
export function otherService<Name extends keyof OtherServices>(
  services: { readonly plugins: { readonly modules: readonly { readonly name: string }[] } },
  name: Name,
): OtherServices[Name] | undefined {
  if (!services.plugins.modules.some((module) => module.name === HOME[name])) return undefined
  return (services as unknown as OtherServices)[name]
}
