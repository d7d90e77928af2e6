import { environment as environmentOf } from '../../plugins/representations/aas/environment.ts'
import { unitEnvironment } from '../../plugins/representations/aas/unit-environment.ts'
import type { PassportView } from '../../src/domain/view.ts'
import type { UnitView } from '../../src/plugin/index.ts'
import passportViews from '../../src/renditions/passport-views.ts'
import { descriptions, plugins } from './categories.ts'

export const views = passportViews({
  config: { baseUrl: 'https://passport.example' } as never,
  plugins,
})

export const environment = (view: PassportView) => environmentOf(view, descriptions.of(view.metadata.category, 'en'))

export const unitEnvironmentOf = (unit: UnitView) =>
  JSON.parse(JSON.stringify(unitEnvironment(unit, descriptions.of(unit.ofModel.metadata.category, 'en'))))

/** Metadata of a battery with restricted keys. */
export const battery = {
  category: 'batteries',
  originCountry: 'DE',
  productName: 'Pack',
  serialNumber: 'SERIES-4',
  detailedPerformance: { powerW: 7 },
}
