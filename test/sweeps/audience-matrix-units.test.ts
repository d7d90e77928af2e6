import { describe, expect, test } from 'vitest'
import { UNIT_STATUSES } from '../../src/domain/unit.ts'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import {
  assertNoLeak,
  assertWhole,
  atOnce,
  contentOf,
  INTERESTED,
  inPlain,
  KEYS,
  MEASURED,
  PLACEHOLDER,
  STATUSES,
  useAudienceMatrix,
} from '../support/audience-matrix.ts'

const { gateway, plain, strict, readersIn, given, givenUnit, expectFormsToShowOnly } = await useAudienceMatrix()

describe('every representation of units for every audience', () => {
  test.each(STATUSES)('of a passport that is %s', async (passportStatus) => {
    const ofUnits = gateway.container.cradle.plugins.representations.filter(
      ({ renderUnit }) => renderUnit !== undefined,
    )
    expect(ofUnits.map(({ name }) => name)).toContain('jsonld')
    // The status of a unit is shown regardless of its passport's; a recycled unit is gone.
    const statuses = passportStatus === 'ACTIVE' ? UNIT_STATUSES : (['IN_SERVICE', 'RECYCLED'] as const)
    for (const side of [plain, strict]) {
      for (const status of side === strict ? (['IN_SERVICE'] as const) : statuses) {
        const id = await givenUnit(side, passportStatus, status)
        for (const [reader, headers] of readersIn(side)) {
          await atOnce(ofUnits, async ({ name, mediaTypes, isSigned }) => {
            const at = `${passportStatus} ${status} ${reader} ${name}`
            const answer = await gateway.request('GET', `/unit/${id}`, {
              headers: { ...headers, accept: mediaTypes[0] },
            })
            const content = await contentOf(answer)
            assertNoLeak(content, reader, 'batteries', at)
            // Annex XIII, point 4, like the keys of a legitimate interest.
            const seesMeasured = INTERESTED.some((name) => name === reader)
            if (!seesMeasured) for (const measured of MEASURED) expect(content, at).not.toContain(measured)
            if (passportStatus === 'DRAFT' && reader !== 'owner') {
              expect([at, answer.status]).toEqual([at, 404])
              return
            }
            if (status === 'RECYCLED') {
              expect([at, answer.status]).toEqual([at, 410])
              for (const measured of MEASURED) expect(content, at).not.toContain(measured)
              return
            }
            // A draft has no credential.
            const isRefused = isSigned === true && passportStatus === 'DRAFT'
            expect([at, answer.status]).toEqual([at, isRefused ? 406 : 200])
            if (isRefused) return
            expect(answer.headers['content-type'], at).toContain(mediaTypes[0])
            expect(answer.headers['cache-control'], at).toBe(
              reader === 'anonymous' ? PUBLIC_CACHING : 'private, no-store',
            )
            expect(answer.headers.vary, at).toMatch(/Authorization/)
            if (/^json(ld)?$/.test(name)) {
              if (seesMeasured) for (const measured of MEASURED) expect(content, at).toContain(measured)
              assertWhole(content, reader, 'batteries', at)
            }
            // Signed content is stored and would be outdated after the next measurement.
            if (isSigned) {
              for (const measured of MEASURED) expect(content, at).not.toContain(measured)
              expect(content, at).not.toContain(PLACEHOLDER)
            }
          })
          await expectFormsToShowOnly(`unit/${id}`, reader, headers, 'batteries')
        }
      }
    }
  })
})

describe('every representation of batches for every audience', () => {
  test.each(STATUSES)('of a passport that is %s', async (status) => {
    const ofBatches = gateway.container.cradle.plugins.representations.filter(
      ({ levels }) => levels?.batch !== undefined,
    )
    expect(ofBatches.map(({ name }) => name)).toContain('jsonld')
    for (const side of [plain, strict]) {
      const passportId = await given(side, 'batteries', status, false)
      const { metadata } = (await gateway.request('GET', `/passport/${passportId}`, { headers: side.readers.owner }))
        .body
      // Product identifiers and documents are only in the passport.
      const differing = Object.entries(metadata).filter(
        ([key]) => !/^(category|gtin|grai|serialNumber|batchNumber|granularity)$|[dD]ocuments$/.test(key),
      )
      const made = await gateway.request('POST', `/api/v1/passports/${passportId}/batches`, {
        headers: side.readers.owner,
        json: { batchNumber: 'L1', metadata: Object.fromEntries(differing) },
      })
      expect([made.status, made.text]).toEqual([201, made.text])
      const masked = differing.map(([key]) => key).filter((key) => key in KEYS)
      expect(masked.length).toBeGreaterThan(0)
      for (const [reader, headers] of readersIn(side)) {
        await atOnce(ofBatches, async ({ name, mediaTypes }) => {
          const at = `${status} ${reader} ${name}`
          const answer = await gateway.request('GET', `/batch/${made.body.batches[0].id}`, {
            headers: { ...headers, accept: mediaTypes[0] },
          })
          const content = await contentOf(answer)
          assertNoLeak(content, reader, 'batteries', at)
          const isHidden = status === 'DRAFT' && reader !== 'owner'
          expect([at, answer.status]).toEqual([at, isHidden ? 404 : 200])
          if (!isHidden && /^json(ld)?$/.test(name)) assertWhole(content, reader, 'batteries', at)
        })
        await expectFormsToShowOnly(`batch/${made.body.batches[0].id}`, reader, headers, 'batteries')
      }
    }
  })
})

test('an authority without access to measurements gets the reason', async () => {
  const id = await givenUnit(strict, 'ACTIVE', 'IN_SERVICE')
  const { body } = await gateway.request('GET', `/unit/${id}`, { headers: strict.readers.authority })
  expect(body.restrictedData).toMatchObject({
    reason: 'LEGITIMATE_INTEREST_REQUIRED',
    description: expect.stringMatching(/only for persons with a legitimate interest \(Annex XIII, point 4\)/),
  })
  const page = await gateway.request('GET', `/unit/${id}`, {
    headers: { ...strict.readers.authority, accept: 'text/html', 'accept-language': 'en' },
  })
  expect(inPlain(page.text)).toContain('only for persons with a legitimate interest')
  expect(page.text).not.toContain('/request-access')
})
