// The only client file that depends on the generated types.
import type { OPERATIONS, operations, Schemas, Summaries } from '../generated/client-operations.ts'

export type ErrorCode = Schemas['ErrorCode'] | Schemas['FrameworkCode']

export type OperationId = keyof typeof OPERATIONS & keyof operations & keyof Summaries

export interface OperationRow {
  readonly method: string
  /** Path template with `{name}` parameters. */
  readonly path: string
  readonly headers?: readonly string[]
  /** Request media type; `file` if the caller chooses. */
  readonly body?: string
  /** True if `Idempotency-Key` is accepted. */
  readonly once?: boolean
  /** Default media type; JSON if absent. */
  readonly accept?: string
  /** Kind of negotiated representations. */
  readonly forms?: keyof Representations
  /** Path of the items, paging parameter, and source of its next value. */
  readonly pages?: { readonly items: string; readonly by: string; readonly from: string }
}

interface Representations {
  readonly passports: Forms<Schemas['Passport']> & Credentials & { readonly 'application/pdf': Uint8Array<ArrayBuffer> }
  readonly units: Forms<Schemas['UnitDocument']> & Credentials
  readonly batch: Forms<Schemas['BatchDocument']>
}

interface Forms<Document> {
  readonly 'application/ld+json': Document
  readonly 'application/aas+json': Schemas['AasEnvironment']
  readonly 'application/aas+zip': Uint8Array<ArrayBuffer>
  readonly 'text/html': string
}

interface Credentials {
  readonly 'application/vc+jwt': string
  readonly 'application/vc+ld+json': Schemas['VerifiableCredential']
  readonly 'application/dc+sd-jwt': string
}

type Row<Id extends OperationId> = (typeof OPERATIONS)[Id]

/** Member type; `object` if declared `?: never`. */
type Member<Of, Name extends string> = Name extends keyof Of
  ? [NonNullable<Of[Name]>] extends [never]
    ? object
    : NonNullable<Of[Name]>
  : object

/** Also accepts numbers for free-text parameters, such as a page. */
type Given<Value> = string extends Value ? Value | number : Value
type AllGiven<Of> = { readonly [Name in keyof Of]: Given<Of[Name]> }

type OwnHeader = 'X-CSRF-Token' | 'Idempotency-Key' | 'If-None-Match'
/** `accept` replaces `format` and also determines the response type. */
type OwnQuery<Id extends OperationId> = Row<Id> extends { readonly forms: string } ? 'format' : never

type Body<Id extends OperationId> = operations[Id] extends { readonly requestBody: { readonly content: infer Content } }
  ? { readonly body: Sent<Content> } & ContentType<Content>
  : operations[Id] extends { readonly requestBody?: { readonly content: infer Content } }
    ? { readonly body?: Sent<Content> }
    : object

type Sent<Content> = 'application/json' extends keyof Content
  ? Content['application/json']
  : 'application/x-www-form-urlencoded' extends keyof Content
    ? Content['application/x-www-form-urlencoded']
    : Uint8Array<ArrayBuffer> | Blob | string

type ContentType<Content> = 'application/json' extends keyof Content
  ? object
  : 'application/x-www-form-urlencoded' extends keyof Content
    ? object
    : { readonly contentType: keyof Content }

/** Input of an operation: path, query and header parameters, and `body`. */
export type Parameters<Id extends OperationId> = Flat<
  AllGiven<Member<operations[Id]['parameters'], 'path'>> &
    AllGiven<Omit<Member<operations[Id]['parameters'], 'query'>, OwnQuery<Id>>> &
    AllGiven<Omit<Member<operations[Id]['parameters'], 'header'>, OwnHeader>> &
    Body<Id>
>

type Flat<Of> = { readonly [Name in keyof Of]: Of[Name] }

type Contents<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & (200 | 201 | 202)]: operations[Id]['responses'][Status] extends {
    readonly content: infer Content
  }
    ? Content
    : never
}[keyof operations[Id]['responses'] & (200 | 201 | 202)]

type NegotiatedForms<Id extends OperationId> =
  Row<Id> extends { readonly forms: infer Kind extends keyof Representations } ? Representations[Kind] : object

/** Response media types of an operation. */
export type MediaType<Id extends OperationId> = KeysOf<Contents<Id>> | KeysOf<NegotiatedForms<Id>>

type KeysOf<Of> = Of extends unknown ? keyof Of & string : never

type Named<Of, Type> = Of extends unknown ? (Type extends keyof Of ? Read<Type, Of[Type]> : never) : never

/** Parsed body: JSON object, text or bytes; must match `call.ts`. */
type Read<Type, Document> = Type extends 'application/json' | `${string}+json`
  ? Document
  : Type extends `text/${string}` | `${string}${'jwt' | 'xml' | 'yaml' | 'jsonl' | 'x-pem-file'}`
    ? string
    : Uint8Array<ArrayBuffer>

/** Response of an operation for one media type. */
export type AnswerIn<Id extends OperationId, Type> = Type extends keyof NegotiatedForms<Id>
  ? NegotiatedForms<Id>[Type]
  : Named<Contents<Id>, Type>

/** Default response of an operation. */
export type Answer<Id extends OperationId> =
  Row<Id> extends { readonly forms: keyof Representations }
    ? AnswerIn<Id, 'application/ld+json'>
    : { [Type in MediaType<Id>]: AnswerIn<Id, Type> }[MediaType<Id>]

/** Operations with paged lists. */
export type PagedId = {
  [Id in OperationId]: Row<Id> extends { readonly pages: unknown } ? Id : never
}[OperationId]

export type Item<Id extends PagedId> =
  Row<Id> extends { readonly pages: { readonly items: infer Path extends string } }
    ? At<Answer<Id>, Path> extends readonly (infer One)[]
      ? One
      : never
    : never

type At<Of, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Of
    ? At<Of[Name], Rest>
    : never
  : Path extends keyof Of
    ? Of[Path]
    : never

/** Schemas of the contract by name. */
export type Documents = Schemas
