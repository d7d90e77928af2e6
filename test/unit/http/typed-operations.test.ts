import { expect, test } from 'vitest'
import type { components, operations } from '../../../src/generated/openapi.ts'
import type { OperationId, RequestBody, Result } from '../../../src/http/handler.ts'

// Checked by the compiler.

type Schemas = components['schemas']
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Name of the schema with exactly this type, or never. */
type NameOf<B> = { [N in keyof Schemas]: Same<B, Schemas[N]> extends true ? N : never }[keyof Schemas]

type JsonOf<R> = R extends { readonly content: { readonly 'application/json': infer B } } ? B : never
type Good = 200 | 201 | 300

/** Operations whose successful JSON response has no named schema. */
type Nameless = {
  [O in OperationId]: {
    [S in keyof operations[O]['responses'] & Good]: [JsonOf<operations[O]['responses'][S]>] extends [never]
      ? never
      : [NameOf<JsonOf<operations[O]['responses'][S]>>] extends [never]
        ? O
        : never
  }[keyof operations[O]['responses'] & Good]
}[OperationId]

/** Operations whose handler receives an unnamed body other than bytes. */
type Unread = {
  [O in OperationId]: [RequestBody<O>] extends [undefined | Uint8Array]
    ? never
    : [NameOf<RequestBody<O>>] extends [never]
      ? O
      : never
}[OperationId]

/** Operations whose handler may return a rendition. */
type Negotiated = {
  [O in OperationId]: Extract<Result<O>, { rendition: unknown }> extends never ? never : O
}[OperationId]

test('every body and every good answer is a schema with a name, and renditions are for revalidated answers alone', () => {
  const nameless: [Nameless] extends [never] ? true : Nameless = true
  const unread: [Unread] extends [never] ? true : Unread = true
  const bodies: Same<RequestBody<'createPassport'>, Schemas['NewPassport']> = true
  const answers: NameOf<JsonOf<operations['sealPassport']['responses'][200]>> = 'PassportSealed'
  const yes: 'getPassport' extends Negotiated ? true : false = true
  const no: 'listPassports' extends Negotiated ? true : false = false
  expect([nameless, unread, bodies, answers, yes, no]).toEqual([true, true, true, 'PassportSealed', true, false])
})
