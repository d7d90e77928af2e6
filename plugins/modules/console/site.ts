import type { Principal } from '../../../src/plugin/module.ts'
import type { ConsoleRole, Right } from './roles.ts'

/** Text of the reader's language: a key of `locales`, then of the gateway. */
export type Translate = (key: string, params?: object) => string

/** Member of a workspace with a session. */
export interface SignedIn {
  readonly sessionId: string
  readonly person: { readonly id: string; readonly name: string; readonly email: string }
  readonly role: ConsoleRole
  /** Caller of use cases: its permissions and operator are those of the membership, its actor is the person. */
  readonly principal: Principal
  /** True for a permission of the principal or a right of the console. */
  can(right: Right): boolean
  /** Sent by every form as `csrf`. */
  readonly csrf: string
  readonly method: 'link' | 'passkey' | 'oidc'
  readonly authenticatedAt: Date
  /** True within ten minutes of an authentication. */
  readonly isFresh: boolean
  readonly lang: string
  readonly t: Translate
}

export interface UploadedFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

export interface PageRequest {
  /** Second segment of the address. */
  readonly id: string
  readonly query: Readonly<Record<string, string | undefined>>
  /** Fields of a form, trimmed; the first of repeated ones. Empty for GET. */
  readonly form: Readonly<Record<string, string | undefined>>
  readonly agent: string
  readonly files: Readonly<Record<string, UploadedFile | undefined>>
}

/** Error of a field: its control has this name. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

export interface View {
  readonly title: string
  /** Template in `templates`, without extension; it gets `it.view`, `it.me`, `it.t` and the functions of `templates.ts`. */
  readonly template: string
  readonly data: object
  readonly errors?: readonly FieldError[]
  readonly status?: 200 | 400 | 403 | 404 | 409 | 412 | 413
  /** Pages above this one. */
  readonly trail?: readonly { readonly href: string; readonly text: string }[]
  /** `Set-Cookie` header. */
  readonly cookie?: string
  /** Call of the API with the same effect, such as `GET /api/v1/grants`; the command if the API has none. */
  readonly api?: string
}

interface Redirect {
  /** Path of this host. */
  readonly to: string
  /** Key below `done` in `locales`, shown on the next page. */
  readonly done?: string
  /** `Set-Cookie` header. */
  readonly cookie?: string
}

interface FileToSave {
  readonly file: string
  readonly type: string
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** Page that a view of the console shows in a frame. */
interface FramedPage {
  readonly framed: string | Uint8Array
}

export type Outcome = View | Redirect | FileToSave | FramedPage

/** One address of the console; a file in `pages` exports a factory of several. */
export interface ConsolePage {
  /** Below `/console`: `people`, `people/{id}` or `people/{id}/remove`. */
  readonly path: string
  /** Required for all requests; null: every member. */
  readonly needs: Right | null
  /** Required for `act`, if it is more than `needs`. */
  readonly actNeeds?: Right
  /** Asks for a recent authentication first. */
  readonly isSensitive?: boolean
  /** True if `act` needs neither MFA nor a paid plan: it concerns the member alone. */
  readonly isForAll?: boolean
  /** Entry of the navigation; its text is `nav.<path>`. */
  readonly nav?: { readonly group: 'work' | 'company' | 'me'; readonly order: number }
  show?(me: SignedIn, request: PageRequest): Promise<Outcome> | Outcome
  /** Handles the form of the page. @throws Problem, shown above the form of `show` */
  act?(me: SignedIn, request: PageRequest): Promise<Outcome> | Outcome
}

/** Item of the home page that waits for a person. */
export interface Attention {
  readonly order: number
  readonly text: string
  readonly href: string
  /** Undefined if the text says it. */
  readonly count?: number
}

export interface PageFile {
  readonly pages: readonly ConsolePage[]
  /** Items of the home page. */
  attention?(me: SignedIn): Promise<readonly Attention[]>
}
