import type { Cradle } from '../cradle.ts'
import type { DigitalLink } from '../domain/digital-link.ts'
import type { Content } from '../domain/schema.ts'
import { operatorsOf } from '../passports/passport-catalogue.ts'
import type { PassportChoice, Rendered } from '../plugin/contracts.ts'
import type { Match } from './candidates.ts'
import { linksetLink } from './link-redirect.ts'
import { addressOf, inTheirWorkspaces, type LinkCaller } from './link-targets.ts'

type Services = Pick<Cradle, 'config' | 'database' | 'renditions'>

export interface ManyChoices {
  readonly status: 300
  readonly body: Content<'MultipleChoices'>
  readonly headers: { readonly [name: string]: string }
  readonly page?: Rendered | undefined
}

export async function choices(
  services: Services,
  link: DigitalLink,
  matches: readonly Match[],
  caller: LinkCaller,
): Promise<ManyChoices> {
  const message = 'Several economic operators have a passport for this product. Choose one of the alternatives.'
  const plugin = services.renditions.choose(caller, 'passport')?.plugin
  const passports = await toChoices(services, matches)
  return {
    status: 300,
    body: {
      error: 'Multiple Choices',
      message,
      choices: passports.map(({ href }) => href),
      passports: passports.map(({ href: url, company, country, status, isClaimed: claimed, isSealed: sealed }) => ({
        url,
        company,
        country,
        status,
        claimed,
        sealed,
      })),
    },
    headers: link.fault === undefined ? { Link: linksetLink(services.config.baseUrl, link) } : {},
    page: plugin?.renderChoices?.(passports, services.renditions.contextFor(plugin, caller.lang)),
  }
}

async function toChoices({ config, database }: Services, matches: readonly Match[]): Promise<PassportChoice[]> {
  const found = await inTheirWorkspaces(database, matches, operatorsOf)
  const operators = new Map(found.flat().map((operator) => [operator.id, operator]))
  return matches.map((match) => ({
    href: addressOf(config.baseUrl, match),
    company: operators.get(match.id)?.name ?? match.id,
    country: operators.get(match.id)?.country ?? null,
    status: match.status,
    isClaimed: match.isClaimed,
    isSealed: match.isSealed,
  }))
}
