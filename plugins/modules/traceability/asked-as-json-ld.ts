import { negotiate } from '../../../src/plugin/module.ts'

const FORMS = [
  { name: 'json', mediaTypes: ['application/json'] },
  { name: 'jsonld', mediaTypes: ['application/ld+json'] },
]

export const isAskedAsJsonLd = (accept: string | undefined): boolean => negotiate(accept, FORMS)?.name === 'jsonld'
