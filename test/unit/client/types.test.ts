import { expectTypeOf, test } from 'vitest'
import { createDpp, type Documents, type DppError, type OperationId } from '../../../src/client/index.ts'
import type { operations } from '../../../src/generated/client-operations.ts'

/** Errors are compile errors of `npm run check`. Nothing is sent. */
const dpp = createDpp({ baseUrl: 'http://localhost:1', fetch: () => Promise.reject(new Error('no')) })
const never = (_: () => unknown) => {}

test('parameters, bodies and answers are those of the contract', () => {
  never(async () => {
    const page = await dpp.listPassports({ page: 2, limit: '10', category: 'batteries' })
    expectTypeOf(page).toEqualTypeOf<Documents['PassportPage']>()
    expectTypeOf(await dpp.listPassports()).toEqualTypeOf<Documents['PassportPage']>()
    // @ts-expect-error there is no such parameter
    await dpp.listPassports({ pages: 2 })
    // @ts-expect-error the id is missing
    await dpp.sealPassport({})
    // @ts-expect-error so is everything
    await dpp.sealPassport()
    // @ts-expect-error the body is missing
    await dpp.createPassport({})
    // @ts-expect-error a member of it is missing
    await dpp.createPassport({ body: { productId: '1' } })
    // @ts-expect-error a member of it is wrong
    await dpp.createPassport({ body: { productId: 1, metadata: {} } })
    // @ts-expect-error there is no such operation
    await dpp.destroyPassport({ id: 'a' })
    // @ts-expect-error the answer has no such member
    await dpp.sealPassport({ id: 'a' }).then(({ seal }) => seal)
    // @ts-expect-error the client sends it where it is needed
    await dpp.sealPassport({ id: 'a', 'X-CSRF-Token': 'c' })
    // @ts-expect-error nobody has said what the bytes are
    await dpp.uploadPassportMedia({ id: 'a', body: new Uint8Array() })
    // @ts-expect-error what a caller is, is one thing
    createDpp({ baseUrl: '', key: 'a', grant: 'b' })
  })
})

test('an answer is what was asked for', () => {
  never(async () => {
    expectTypeOf(await dpp.getPassport({ id: 'a' })).toEqualTypeOf<Documents['Passport']>()
    expectTypeOf(await dpp.getPassport({ id: 'a' }, { accept: 'application/vc+jwt' })).toEqualTypeOf<string>()
    expectTypeOf(await dpp.getPassport({ id: 'a' }, { accept: 'application/aas+json' })).toEqualTypeOf<
      Documents['AasEnvironment']
    >()
    expectTypeOf(await dpp.getPassport({ id: 'a' }, { accept: 'application/pdf' })).toEqualTypeOf<
      Uint8Array<ArrayBuffer>
    >()
    expectTypeOf(await dpp.getPassport({ id: 'a' }, { as: 'response' })).toEqualTypeOf<Response>()
    expectTypeOf(await dpp.getPassportQr({ id: 'a' })).toEqualTypeOf<string | Uint8Array<ArrayBuffer>>()
    expectTypeOf(await dpp.resolvePublicBatteryUnit({ id: 'a' })).toEqualTypeOf<Documents['UnitDocument']>()
    expectTypeOf(await dpp.getSealCa()).toEqualTypeOf<string>()
    // @ts-expect-error nobody answers so
    await dpp.getPassport({ id: 'a' }, { accept: 'image/png' })
    // @ts-expect-error batches have no credentials
    await dpp.resolvePublicBatch({ id: 'a' }, { accept: 'application/vc+jwt' })
  })
})

test('lists have items', () => {
  never(async () => {
    for await (const item of dpp.each.listPassports()) expectTypeOf(item).toEqualTypeOf<Documents['PassportListItem']>()
    for await (const item of dpp.each.listAuditLog()) expectTypeOf(item).toEqualTypeOf<Documents['AuditEntry']>()
    for await (const item of dpp.each.queryTraceEvents())
      expectTypeOf(item).toEqualTypeOf<Documents['BareEpcisEvent']>()
    // @ts-expect-error a seal is no list
    dpp.each.sealPassport({ id: 'a' })
  })
})

test('codes are known, and those that come later may be compared too', () => {
  never((error = {} as DppError) => {
    if (error.code === 'PASSPORT_DUPLICATE' || error.code === 'A_LATER_ONE') return error.issues[0]?.friendlyMessage
    return error.retryAfter
  })
})

test('every operation of the contract is a method', () => {
  expectTypeOf<OperationId>().toEqualTypeOf<keyof operations>()
})
