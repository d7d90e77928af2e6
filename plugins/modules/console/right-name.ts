import { dictionary } from '../../../src/plugin/index.ts'
import type { Translate } from './site.ts'

/** Texts for the first part of a right. */
const SUBJECTS = dictionary({
  passport: 'nav.passports',
  operator: 'operator.list',
  battery: 'units.title',
  facility: 'facility.list',
  grant: 'nav.access',
  webhook: 'nav.webhooks',
  key: 'nav.keys',
  audit: 'nav.audit',
  people: 'nav.people',
  company: 'brand.title',
})

/** Texts for the second part. */
const ACTIONS = dictionary({
  read: 'right.read',
  create: 'right.create',
  update: 'right.write',
  write: 'right.write',
  seal: 'passport.seal.button',
  publish: 'passport.publish.button',
  recall: 'passport.recall.button',
})

/** Name of a right in the language of the reader. */
export function rightName(right: string, t: Translate): string {
  const [subject = '', action = ''] = right.split(':')
  return `${t(SUBJECTS[subject] ?? subject)}: ${t(ACTIONS[action] ?? action)}`
}
