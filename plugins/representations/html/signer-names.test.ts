import { describe, expect, it } from 'vitest'
import { certificate, otherCertificate, token } from '../../../test/browser/given-seal.ts'
import { toSignerNames } from './signer-names.ts'

const genTime = '2027-03-14T09:26:55.000Z'

describe('signers of a seal', () => {
  it('is read in the certificate of its key and in that of the time-stamp authority', () => {
    expect(toSignerNames({ x5c: [certificate], rfc3161: { genTime, token } })).toEqual({
      sealer: { name: 'Nordlicht Zellwerke AG', country: 'DE' },
      certifier: 'Seal CA of passport.example',
      timeAuthority: 'Zeitwacht OÜ',
    })
  })

  it('is whom the first certificate names', () => {
    expect(toSignerNames({ x5c: [otherCertificate, certificate] }).sealer?.name).toBe('Nordlicht Energie GmbH')
  })

  it('stays unknown without certificate and token, and by those that cannot be read', () => {
    const noNames = { sealer: undefined, certifier: undefined, timeAuthority: undefined }
    const withoutCertificates = Buffer.from(token, 'base64').subarray(0, 300).toString('base64')
    for (const text of ['', 'x', 'MIIB', '"><b>', token.slice(0, -8), withoutCertificates, 'A'.repeat(100_000)]) {
      expect(toSignerNames({ x5c: [text], rfc3161: { genTime, token: text } })).toEqual(noNames)
    }
    expect(toSignerNames({})).toEqual(noNames)
  })

  it('is read in nothing that is larger than a verifier takes', () => {
    const padded = `${certificate}${'A'.repeat(20_000)}`
    expect(toSignerNames({ x5c: [padded] }).sealer).toBeUndefined()
  })
})
