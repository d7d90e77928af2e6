// The only file of the client that knows what the generated types look like.
import type { OPERATIONS, operations, Summaries } from '../generated/client-operations.ts'
import type { components } from '../generated/openapi.ts'

type Schemas = components['schemas']

/** The code of a refusal. */
export type ErrorCode = Schemas['ErrorCode'] | Schemas['FrameworkCode']

/** Names of the operations, as the contract has them. */
export type OperationId = keyof typeof OPERATIONS & keyof operations & keyof Summaries

/** A row of the generated table. */
export interface OperationRow {
  readonly method: string
  /** With `{name}` where a parameter goes. */
  readonly path: string
  /** Names of parameters that travel as headers. */
  readonly headers?: readonly string[]
  /** Media type of the body; `file` where the caller says which of several it is. */
  readonly body?: string
  /** Takes an `Idempotency-Key`. */
  readonly once?: boolean
  /** What is asked for unless the caller says so; absent: JSON. */
  readonly accept?: string
  /** Whose representations the answer may have. */
  readonly forms?: keyof Representations
  /** Where the items of a list are, which parameter asks for the next page, and where its value comes from. */
  readonly pages?: { readonly items: string; readonly by: string; readonly from: string }
}

/** Answers by media type, where an answer is negotiated. */
interface Representations {
  readonly passports: Forms<Schemas['Passport']> & Credentials & { readonly 'application/pdf': Uint8Array<ArrayBuffer> }
  readonly units: Forms<Schemas['UnitDocument']> & Credentials
  readonly batches: Forms<Schemas['BatchDocument']>
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

// What is sent.

/** A member of an object that may be declared as absent (`?: never`), without what cannot be there. */
type Member<Of, Name extends string> = Name extends keyof Of
  ? [NonNullable<Of[Name]>] extends [never]
    ? object
    : NonNullable<Of[Name]>
  : object

/** A parameter that is any text may be given as a number, such as a page. */
type Given<Value> = string extends Value ? Value | number : Value
type AllGiven<Of> = { readonly [Name in keyof Of]: Given<Of[Name]> }

type OwnHeader = 'X-CSRF-Token' | 'Idempotency-Key' | 'If-None-Match'
/** Other forms of an answer are asked for by `accept`, which decides its type too. */
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

/** What an operation takes: the parameters of path, query and header, and `body`. */
export type Parameters<Id extends OperationId> = Flat<
  AllGiven<Member<operations[Id]['parameters'], 'path'>> &
    AllGiven<Omit<Member<operations[Id]['parameters'], 'query'>, OwnQuery<Id>>> &
    AllGiven<Omit<Member<operations[Id]['parameters'], 'header'>, OwnHeader>> &
    Body<Id>
>

/** The same as one object, so that editors show its members. */
type Flat<Of> = { readonly [Name in keyof Of]: Of[Name] }

// What is answered.

type Contents<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & (200 | 201 | 202)]: operations[Id]['responses'][Status] extends {
    readonly content: infer Content
  }
    ? Content
    : never
}[keyof operations[Id]['responses'] & (200 | 201 | 202)]

/** What is negotiated; nothing where there is one form alone. */
type NegotiatedForms<Id extends OperationId> =
  Row<Id> extends { readonly forms: infer Kind extends keyof Representations } ? Representations[Kind] : object

/** The media types that an operation may answer with. */
export type MediaType<Id extends OperationId> = KeysOf<Contents<Id>> | KeysOf<NegotiatedForms<Id>>

type KeysOf<Of> = Of extends unknown ? keyof Of & string : never

type Named<Of, Type> = Of extends unknown ? (Type extends keyof Of ? Read<Type, Of[Type]> : never) : never

/** What the client makes of an answer: an object of JSON, a text, or bytes. `call.ts` reads by the same rule. */
type Read<Type, Document> = Type extends 'application/json' | `${string}+json`
  ? Document
  : Type extends `text/${string}` | `${string}${'jwt' | 'xml' | 'yaml' | 'jsonl' | 'x-pem-file'}`
    ? string
    : Uint8Array<ArrayBuffer>

/** What an operation answers where it is asked for one media type. */
export type AnswerIn<Id extends OperationId, Type> = Type extends keyof NegotiatedForms<Id>
  ? NegotiatedForms<Id>[Type]
  : Named<Contents<Id>, Type>

/** What an operation answers. */
export type Answer<Id extends OperationId> =
  Row<Id> extends { readonly forms: keyof Representations }
    ? AnswerIn<Id, 'application/ld+json'>
    : { [Type in MediaType<Id>]: AnswerIn<Id, Type> }[MediaType<Id>]

// Lists.

/** The operations that answer with one page of a list. */
export type PagedId = {
  [Id in OperationId]: Row<Id> extends { readonly pages: unknown } ? Id : never
}[OperationId]

/** One thing of a list. */
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

/** Documents of the contract, by the names that it has for them. */
export type Documents = Schemas
