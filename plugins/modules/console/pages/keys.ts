import { notFound } from '../../../../src/plugin/index.ts'
import { ApiKey, badRequest, conflict, recordAudit, rolePermissions } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { endOfDay, inDays } from '../days.ts'
import { rightName } from '../right-name.ts'
import type { ConsolePage, PageFile, SignedIn } from '../site.ts'

const ROLES = ['BRAND_OPERATOR', 'EDITOR', 'AUDITOR']

/** API keys of the workspace. A key is shown once. */
export default (services: Cradle): PageFile => ({
  pages: [listPage(services), newPage(services), keyPage(services), revokePage(services)],
})

function listPage({ database }: Cradle): ConsolePage {
  return {
    path: 'keys',
    needs: 'key:write',
    nav: { group: 'company', order: 30 },
    async show({ principal: { tenantId }, t }) {
      const entities = database.entities(database.forTenant(tenantId))
      const orderBy = { createdAt: 'desc', id: 'asc' } as const
      const keys = await entities.find(ApiKey, { tenantId }, { orderBy, populate: ['createdAt'], limit: 500 })
      return { title: t('nav.keys'), template: 'keys', data: { keys: keys.map(stateOf) }, api: listCommand(tenantId) }
    },
  }
}

function newPage({ operators, workspaces }: Cradle): ConsolePage {
  const view = async (me: SignedIn, values: object) => {
    const found = await operators.list(me.principal, false)
    return {
      title: me.t('key.new'),
      template: 'key-new',
      data: {
        values,
        roles: ROLES.map((value) => ({ value, text: me.t(`keyRole.${value}`) })),
        operators: [
          { value: '', text: me.t('people.allOperators') },
          ...found.map(({ id, name }) => ({ value: id, text: name })),
        ],
        today: inDays(0),
      },
      trail: trailOf(me),
      api: createCommand(me.principal.tenantId),
    }
  }
  return {
    path: 'keys/new',
    needs: 'key:write',
    isSensitive: true,
    show: (me, { form }) => view(me, { role: 'BRAND_OPERATOR', ...form }),
    async act(me, { form }) {
      const { name, role = '', operator, expires } = form
      if (!name) {
        const errors = [{ field: 'name', message: me.t('missing.keyName') }]
        return { ...(await view(me, form)), errors, status: 400 }
      }
      const { tenantId } = me.principal
      if (!ROLES.includes(role)) throw badRequest(`role must be one of ${ROLES.join(', ')}.`)
      const limits = {
        ...(operator ? { operatorId: operator } : {}),
        ...(expires ? { expiresAt: endOfDay(expires) } : {}),
      }
      const { key } = await workspaces.createKey({ workspaceId: tenantId, role, name, ...limits }, me.principal)
      return {
        title: me.t('key.created'),
        template: 'key-created',
        data: { key, name },
        trail: trailOf(me),
        api: createCommand(tenantId),
      }
    },
  }
}

function keyPage({ database }: Cradle): ConsolePage {
  return {
    path: 'keys/{id}',
    needs: 'key:write',
    isSensitive: true,
    async show(me, { id, form }) {
      const key = await find(database, me, id)
      const state = stateOf(key)
      const data = {
        key: state,
        permissions: permissionsOf(key).map((name) => ({
          ...{ name, text: rightName(name, me.t) },
          isLeft: form.csrf === undefined || form[name] !== undefined,
        })),
      }
      return { title: state.name, template: 'key', data, trail: trailOf(me), api: `npm run -s dpp -- key revoke ${id}` }
    },
    /** Narrows the permissions of a key: a checked one stays. */
    async act(me, { id, form }) {
      const { tenantId } = me.principal
      await database.transaction(tenantId, async (tx) => {
        const key = await tx.entities.findOne(ApiKey, { id, tenantId })
        if (key === null) throw noKey()
        if (key.revokedAt != null) throw conflict('This key is revoked.')
        const before = permissionsOf(key)
        const kept = before.filter((permission) => form[permission] !== undefined)
        if (kept.length === 0) throw badRequest(me.t('key.nothingLeft'))
        key.permissions = kept
        recordAudit(tx, me.principal, 'key.narrowed', id, { from: before, to: kept })
      })
      return { to: `/console/keys/${id}`, done: 'saved' }
    },
  }
}

function revokePage({ database, workspaces }: Cradle): ConsolePage {
  return {
    path: 'keys/{id}/revoke',
    needs: 'key:write',
    isSensitive: true,
    async show(me, { id }) {
      const { name } = stateOf(await find(database, me, id))
      return {
        title: me.t('key.revoke'),
        template: 'sure',
        data: {
          text: `${name}: ${me.t('key.revokeText')}`,
          ...{ path: `keys/${id}/revoke`, button: 'key.revoke', back: `/console/keys/${id}` },
        },
        trail: [...trailOf(me), { href: `/console/keys/${id}`, text: name }],
        api: `npm run -s dpp -- key revoke ${id}`,
      }
    },
    async act({ principal }, { id }) {
      await workspaces.revokeKey(id, principal)
      return { to: '/console/keys', done: 'keyRevoked' }
    },
  }
}

async function find(database: Cradle['database'], { principal: { tenantId } }: SignedIn, id: string): Promise<ApiKey> {
  const entities = database.entities(database.forTenant(tenantId))
  const key = await entities.findOne(ApiKey, { id, tenantId }, { populate: ['createdAt'] })
  if (key === null) throw noKey()
  return key
}

const permissionsOf = ({ role, permissions }: ApiKey): string[] => [...rolePermissions(role, permissions ?? null)]

function stateOf({ id, name, role, permissions, expiresAt, revokedAt, createdAt }: ApiKey) {
  const hasExpired = expiresAt != null && expiresAt <= new Date()
  return {
    ...{ id, role, createdAt, expiresAt: expiresAt ?? null, isNarrowed: permissions != null },
    name: name || id,
    state: revokedAt != null ? 'revoked' : hasExpired ? 'expired' : 'active',
  }
}

const noKey = () => notFound('This key does not exist in your workspace.')

const trailOf = ({ t }: SignedIn) => [{ href: '/console/keys', text: t('nav.keys') }]

/** The API has no operations for keys: a key could make others. */
const listCommand = (workspace: string) => `npm run -s dpp -- key list --workspace ${workspace}`
const createCommand = (workspace: string) =>
  `npm run -s dpp -- key create --workspace ${workspace} --role BRAND_OPERATOR`
