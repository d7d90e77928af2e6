import { beginningOf, type PassportView, type Superseded } from '../../../src/plugin/index.ts'
import { roleOf } from './companies.ts'
import { codeOf, withLanguage } from './own-links.ts'
import { type SignerNames, toSignerNames } from './signer-names.ts'
import type { Label, Texts } from './texts.ts'
import type { Entry, Value } from './value.ts'

/** The page never claims to have verified the seal. */
export interface Authenticity {
  readonly isSealed: boolean
  readonly title: string
  /** Signers by name, the seal owner first if a certificate states it. */
  readonly names: readonly NamedEntry[]
  readonly short?: string
  readonly meaning: string
  readonly points: readonly string[]
  readonly notes: readonly string[]
  readonly registration?: { readonly text: string; readonly proof?: { readonly href: string; readonly label: string } }
  readonly check?: { readonly href: string; readonly label: string } | undefined
}

interface NamedEntry extends Entry {
  readonly brief?: Value
}

export function authenticityOf(view: PassportView, texts: Texts, superseded: Superseded | null = null): Authenticity {
  const { baseUrl, id, seal, updatedAt } = view
  const { t, formats } = texts
  if (seal === null) {
    const updated = formats.date(updatedAt)
    return {
      isSealed: false,
      title: t('seal.unsealed.title'),
      names: [],
      short: t('seal.unsealed.short'),
      meaning: t('seal.unsealed.text'),
      points: [],
      notes: updated === undefined ? [] : [t('seal.unsealed.updated', { date: updated })],
    }
  }
  const { proof } = seal
  const signerNames = toSignerNames(proof)
  const created = formats.date(proof.created)
  const stamped = proof.rfc3161?.genTime ? formats.dateTime(proof.rfc3161.genTime) : undefined
  const isUnnamed = signerNames.sealer === undefined
  const check = `${baseUrl}/verify#passport/${id}${superseded === null ? '' : `?version=${superseded.number}`}`
  return {
    isSealed: true,
    title: created === undefined ? t('seal.sealed.title') : t('seal.sealed.titleOn', { date: created }),
    names: namesOf(view, signerNames, stamped, texts),
    ...(isUnnamed ? { short: t('seal.sealed.unnamed') } : {}),
    meaning: t('seal.sealed.meaning'),
    points: [
      t('seal.sealed.thing'),
      ...(isUnnamed ? [t('seal.sealed.unnamed')] : []),
      ...(stamped === undefined || signerNames.timeAuthority !== undefined
        ? []
        : [t('seal.sealed.stamped', { time: stamped })]),
      ...(Object.keys(proof.redactedLeaves ?? {}).length > 0 ? [t('seal.sealed.masked')] : []),
    ],
    notes: [t('seal.sealed.scope'), t('seal.sealed.legal'), t('seal.check')],
    ...registrationOf(view, texts),
    check: texts.modules.has('verifier')
      ? { href: withLanguage(check, codeOf(texts)), label: t('seal.checkHere') }
      : undefined,
  }
}

function registrationOf(
  { registration }: PassportView,
  { t, formats }: Texts,
): Pick<Authenticity, 'registration'> | undefined {
  if (registration === null) return undefined
  const { identifier, registeredAt, proof: href } = registration
  return {
    registration: {
      text: t('registration.text', { identifier, date: formats.date(registeredAt) ?? registeredAt }),
      ...(href === undefined ? {} : { proof: { href, label: t('registration.proof') } }),
    },
  }
}

function namesOf(
  { operator }: PassportView,
  { sealer, certifier, timeAuthority }: SignerNames,
  stamped: string | undefined,
  texts: Texts,
): NamedEntry[] {
  const { t, formats } = texts
  const entry = (key: string, ...parts: readonly (string | undefined)[]): Entry => {
    const value: Value = { kind: 'text', text: parts.filter((part) => part !== undefined).join(', ') }
    return { label: { text: t(key), foreign: false }, value }
  }
  const country = sealer?.country === undefined ? undefined : (formats.country(sealer.country) ?? sealer.country)
  return [
    ...(sealer === undefined ? [] : [entry('seal.names.sealer', sealer.name, country)]),
    ...(sealer === undefined || isSame(sealer.name, operator.name)
      ? []
      : [entry('seal.names.for', operator.name, roleOf(operator.role, texts))]),
    ...(sealer === undefined || certifier === undefined ? [] : [entry('seal.names.certifier', certifier)]),
    ...(timeAuthority === undefined
      ? []
      : [
          {
            ...entry('seal.names.timeAuthority', timeAuthority, stamped),
            brief: { kind: 'text', text: timeAuthority } as const,
          },
        ]),
  ]
}

/** RFC 5280, appendix A.1. */
const MAX_NAME_CHARACTERS = 64

const isSame = (certified: string, name: string): boolean =>
  certified.localeCompare(beginningOf(name.trim(), MAX_NAME_CHARACTERS), 'en', { sensitivity: 'accent' }) === 0

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
