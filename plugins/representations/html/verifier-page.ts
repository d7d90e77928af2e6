import { languageLinks } from './own-links.ts'
import type { Texts } from './texts.ts'

const FILLED = {
  unchanged: 'date',
  by: 'name',
  altered: 'name',
  issuedBy: 'name',
  for: 'product',
  statusHere: 'status',
  statusDocument: 'status',
}
const PLAIN = [
  ...[
    'open',
    'openText',
    'openNext',
    'openIssuer',
    'openRevoked',
    'broken',
    'brokenText',
    'brokenOwner',
    'brokenRevoked',
    'ended',
    'unsealed',
    'unsealedText',
  ],
  ...[
    'nothing',
    'nothingText',
    'elsewhere',
    'elsewhereText',
    'unknown',
    'unknownText',
    'noCa',
    'noCaText',
    'noCompute',
  ],
  ...['noComputeText', 'unreadable', 'unreadableText', 'openPassport', 'product', 'sealedAt', 'hidden', 'fingerprint'],
  ...['caOrigin', 'caFromHere', 'caOwn'],
]
const ROWS = [
  'form',
  'subject',
  'content',
  'signature',
  'owner',
  'revocation',
  'validity',
  'revoked',
  'timestamp',
  'status',
  'item',
]
const STATUSES = ['DRAFT', 'ACTIVE', 'RECALLED', 'DECOMMISSIONED']

export const verifierPage = (texts: Texts) => ({
  lang: texts.lang,
  title: texts.t('verify.title'),
  text: texts.t('verify.intro'),
  switcher: languageLinks(texts),
})

/** The script works offline. */
export function verifierTexts({ lang, t, modules }: Texts): object {
  const under = (prefix: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, t(`${prefix}.${name}`)]))
  return {
    lang,
    canSearch: modules.has('front-door'),
    formats: t('page.formats'),
    ...under('verify', PLAIN),
    ...Object.fromEntries(
      Object.entries(FILLED).map(([name, value]) => [name, t(`verify.${name}`, { [value]: `{${value}}` })]),
    ),
    row: under('verify.row', ROWS),
    mark: under('verify.mark', ['good', 'bad', 'unknown']),
    statuses: under('technical.statuses', STATUSES),
    company: t('origin.operator'),
    passportId: t('technical.passportId'),
  }
}
