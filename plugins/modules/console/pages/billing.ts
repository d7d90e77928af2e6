import { describeCaller } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { PageFile } from '../site.ts'
import { storedUsage } from '../usage-rows.ts'

/** Plan and usage; errors about limits link here. */
export default ({ database }: Cradle): PageFile => ({
  pages: [
    {
      path: 'billing',
      needs: 'company:write',
      nav: { group: 'company', order: 60 },
      async show({ principal, t }) {
        const [{ tenant, usage }, stored] = await Promise.all([
          describeCaller(database, principal),
          storedUsage(database.forTenant(principal.tenantId)),
        ])
        return {
          title: t('nav.billing'),
          template: 'billing',
          data: { tenant, usage, stored },
          api: 'GET /api/v1/whoami',
        }
      },
    },
  ],
})
