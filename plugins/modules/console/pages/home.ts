import type { Cradle } from '../cradle.ts'
import type { PageFile } from '../site.ts'

export default ({ consolePages, consolePasskeys }: Cradle): PageFile => ({
  pages: [
    {
      path: '',
      needs: null,
      nav: { group: 'work', order: 0 },
      async show(me) {
        const [found, passkeys] = await Promise.all([consolePages.attention(me), consolePasskeys.list(me)])
        const items = found.filter(({ count }) => count !== 0)
        const needsPasskey = consolePasskeys.isOn && me.method === 'link' && passkeys.length === 0
        return {
          title: me.t('home.title'),
          template: 'home',
          data: { items, needsPasskey },
          api: 'GET /api/v1/notifications',
        }
      },
    },
  ],
})
