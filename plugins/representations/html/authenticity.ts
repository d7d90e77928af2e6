import type { PassportView, Superseded } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'

/** What the seal means, in plain words. The page shows a seal and never claims to have checked it. */
export interface Authenticity {
  readonly isSealed: boolean
  readonly title: string
  readonly meaning: string
  /** What else vouches for it. */
  readonly points: readonly string[]
  /** The limits of what is said. */
  readonly notes: readonly string[]
  /** Where the reader's own browser checks it. */
  readonly check?: { readonly href: string; readonly label: string }
}

export function authenticityOf(
  { baseUrl, id, seal, updatedAt }: PassportView,
  texts: Texts,
  superseded: Superseded | null = null,
): Authenticity {
  const { t, formats } = texts
  if (seal === null) {
    const updated = formats.date(updatedAt)
    return {
      isSealed: false,
      title: t('seal.unsealed.title'),
      meaning: t('seal.unsealed.text'),
      points: [],
      notes: updated === undefined ? [] : [t('seal.unsealed.updated', { date: updated })],
    }
  }
  const { proof } = seal
  const created = formats.date(proof.created)
  const stamped = proof.rfc3161?.genTime ? formats.dateTime(proof.rfc3161.genTime) : undefined
  return {
    isSealed: true,
    title: created === undefined ? t('seal.sealed.title') : t('seal.sealed.titleOn', { date: created }),
    meaning: t('seal.sealed.meaning'),
    points: [
      ...(stamped === undefined ? [] : [t('seal.sealed.stamped', { time: stamped })]),
      ...(proof.x5c !== undefined && proof.x5c.length > 0 ? [t('seal.sealed.certified')] : []),
      ...(Object.keys(proof.redactedLeaves ?? {}).length > 0 ? [t('seal.sealed.masked')] : []),
    ],
    notes: [t('seal.sealed.scope'), t('seal.sealed.legal'), t('seal.check')],
    check: {
      href: `${baseUrl}/verify#passport/${id}${superseded === null ? '' : `?version=${superseded.number}`}`,
      label: t('seal.checkHere'),
    },
  }
}

/** The seal as software needs it. */
export function sealData({ seal }: PassportView, texts: Texts): { label: Label; text: string }[] {
  if (seal === null) return []
  const { proof } = seal
  const row = (key: string, text: unknown) => ({
    label: { text: texts.t(`technical.${key}`), foreign: false },
    text: String(text),
  })
  return [
    row('algorithm', proof.signatureAlgorithm),
    row('merkleRoot', proof.merkleRoot),
    row('signature', seal.signature),
    row('publicKey', seal.publicKeyPem.trim()),
    row('verificationMethod', proof.verificationMethod),
  ]
}
