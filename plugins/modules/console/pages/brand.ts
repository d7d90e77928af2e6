import { Problem } from '../../../../src/plugin/index.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

const COLOUR = '#0b5f5a'

/** Logo and colour of the pages, and the GS1 company prefixes. Files are posted to `/console/upload/company/brand`. */
export default function brandPages(services: Cradle): PageFile {
  const { companyPrefixes } = services
  const brands = otherService(services, 'brands')
  return {
    pages: [
      {
        path: 'company/prefixes',
        needs: 'operator:read',
        async show({ principal, t }) {
          const claims = (await companyPrefixes.list()).filter(({ workspaceId }) => workspaceId === principal.tenantId)
          return {
            title: t('prefix.title'),
            template: 'prefixes',
            trail: trailOf({ t }),
            api: `npm run -s dpp -- prefix claim --workspace ${principal.tenantId} --prefix 9520123`,
            data: { claims },
          }
        },
      },
      ...(brands === undefined
        ? []
        : [
            {
              path: 'company/brand',
              needs: 'company:write',
              show: (me: SignedIn, request: PageRequest) => show(me, request),
              act,
            } as const,
          ]),
    ],
  }

  async function show(me: SignedIn, { form }: PageRequest, errors: readonly FieldError[] = []): Promise<Outcome> {
    const brand = await brands?.read(me.principal.tenantId)
    return {
      title: me.t('brand.title'),
      template: 'brand',
      errors,
      status: errors.length > 0 ? 400 : 200,
      trail: trailOf(me),
      api: `npm run -s dpp -- workspace brand ${me.principal.tenantId} --accent ${brand?.accent ?? COLOUR} --logo logo.png`,
      data: { brand, accent: form.accent ?? brand?.accent ?? '', noLogo: form.noLogo !== undefined },
    }
  }

  async function act(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { form, files } = request
    const { file } = files
    const logo = file === undefined ? (form.noLogo === undefined ? undefined : null) : Buffer.from(file.bytes)
    try {
      await brands?.set(
        me.principal.tenantId,
        { accent: form.accent || null, ...(logo === undefined ? {} : { logo }) },
        me.principal,
      )
      return { to: '/console/company', done: 'saved' }
    } catch (error) {
      if (!(error instanceof Problem) || ![400, 413].includes(error.status)) throw error
      const field = error.message.startsWith('accent') ? 'accent' : 'file'
      return show(me, request, [{ field, message: error.message }])
    }
  }
}

const trailOf = ({ t }: Pick<SignedIn, 't'>) => [{ href: '/console/company', text: t('nav.company') }]
