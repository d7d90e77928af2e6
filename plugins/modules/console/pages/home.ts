import type { Cradle } from '../cradle.ts'
import type { PageFile } from '../site.ts'

export default ({ consolePages }: Cradle): PageFile => ({
  pages: [
    {
      path: '',
      needs: null,
      nav: { group: 'work', order: 0 },
      async show(me) {
        const items = (await consolePages.attention(me)).filter(({ count }) => count !== 0)
        return { title: me.t('home.title'), template: 'home', data: { items }, api: 'GET /api/v1/notifications' }
      },
    },
  ],
})
