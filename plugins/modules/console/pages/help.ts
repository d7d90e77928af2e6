import type { Cradle } from '../cradle.ts'
import { ownPath } from '../http.ts'
import type { PageFile } from '../site.ts'

/** Explained terms, with the keys of their texts. */
const TERMS = [
  { name: 'passport', term: 'nav.passports' },
  { name: 'seal', term: 'passports.seal' },
  { name: 'recall', term: 'passport.recall.button' },
  { name: 'operator', term: 'operator.list' },
  { name: 'item', term: 'units.title' },
  { name: 'webhook', term: 'nav.webhooks' },
]

/** Help for the pages of the navigation; each page links to its part. */
export default ({ consolePages }: Cradle): PageFile => ({
  pages: [
    {
      path: 'help',
      needs: null,
      async show(me, { query }) {
        const entries = (await consolePages.navigation(me)).flat()
        const [, page = ''] = ownPath(query.page).split('/').slice(1)
        return {
          title: me.t('help.title'),
          template: 'help',
          api: 'GET /openapi.yaml',
          data: {
            terms: TERMS,
            here: page || 'home',
            entries: entries.map(({ path, href }) => ({ name: path || 'home', href })),
          },
        }
      },
    },
  ],
})
