import { describe, expect, test } from 'vitest'
import { personalDataRemark } from '../../../src/domain/advisories.ts'
import type { Field } from '../../../src/domain/field.ts'

const stated: Readonly<Record<string, Field>> = {
  stylist: { isPersonal: true },
  serviceEmail: { isPersonal: false },
  mobile: { isPersonal: false },
  'contact/nickname': { isPersonal: true },
}
const fieldOf = (key: string, group?: string) => stated[group === undefined ? key : `${group}/${key}`]
const pathOf = (metadata: object) => personalDataRemark(metadata as never, fieldOf)?.path

describe('the remark on personal data', () => {
  test.each([
    [{ firstName: 'Ada' }, 'firstName'],
    [{ note: 'ada@example.org' }, 'note'],
    [{ maker: { phoneNumber: '1' } }, 'maker.phoneNumber'],
    [{ maker: { deeper: { phoneNumber: '1' } } }, undefined],
    [{ brand: 'Ada' }, undefined],
  ])('guesses from names and shapes: %j', (metadata, path) => expect(pathOf(metadata)).toBe(path))

  test.each([
    [{ stylist: 'Ada' }, 'stylist'],
    [{ contact: { nickname: 'Countess' } }, 'contact.nickname'],
    [{ serviceEmail: 'service@example.org', mobile: 'yes' }, undefined],
    [{ contact: { mobile: '1' } }, 'contact.mobile'],
  ])('goes by what the schema says first: %j', (metadata, path) => expect(pathOf(metadata)).toBe(path))
})
