import { createHash, randomUUID } from 'node:crypto'
import {
  type AccessRequestEvent,
  type ModuleTransaction,
  type Letter as OtherLetter,
  type QueuedMessage,
  textFor,
} from '../../../../src/plugin/index.ts'
import {
  AccessGrant,
  badRequest,
  derivedUuid,
  followUrl,
  grantForm,
  grantUrl,
  type ModuleCradle,
  mailAddress,
  requestState,
  subjectUrl,
  Workspace,
} from '../../../../src/plugin/module.ts'
import { approvedLetter, deniedLetter, type Letter, type Matter, receiptLetter, requestLetter } from '../letters.ts'
import { type LetterJob, MAIL, type MailJob, ownerOf } from '../mail-job.ts'
import { isWithinMailBudget } from '../mail-rows.ts'
import { mailboxOf } from '../mail-text.ts'
import type mailerFactory from './mailer.ts'
import { NotSent } from './mailer.ts'

/**
 * Per mailbox and day (UTC), over all workspaces, so that the form cannot flood a mailbox. A workspace could also request and decide
 * itself.
 */
const MAX_A_DAY: Readonly<Record<(MailJob | LetterJob)['kind'], number>> = {
  ...{ receipt: 5, request: 100, approved: 50, denied: 50, letter: 20 },
}

/** E-mail messages about access requests: one job each, sent after the commit. */
export default function mails({
  config,
  database,
  log,
  mailer,
  moduleHooks,
  outbox,
  passportRows,
  secretBox,
  translator,
}: ModuleCradle & { readonly mailer: ReturnType<typeof mailerFactory> }) {
  return { isOn: mailer.isOn, plan, planLetter, attempt, test }

  async function plan(tx: ModuleTransaction, { kind, grantId, secret }: AccessRequestEvent): Promise<void> {
    if (!mailer.isOn) return
    const job = { tenantId: tx.tenantId, grantId }
    if (kind !== 'requested') return add(tx, { ...job, kind }, secret)
    await add(tx, { ...job, kind: 'request' })
    await add(tx, { ...job, kind: 'receipt' }, secret)
  }

  /** @param secret opens the link in the message */
  function add(tx: ModuleTransaction, job: MailJob, secret?: string): Promise<void> {
    const sealed = secret === undefined ? undefined : secretBox.seal(secret, ownerOf(job)).toString('base64')
    return outbox.send(tx, MAIL, [{ data: { ...job, sealed } }])
  }

  /** Sends a letter of another module. */
  async function planLetter(tx: ModuleTransaction, letter: OtherLetter): Promise<void> {
    if (!mailer.isOn) return
    const job = { tenantId: tx.tenantId, letterId: randomUUID(), kind: 'letter' as const }
    const sealed = secretBox.seal(JSON.stringify(letter), ownerOf(job)).toString('base64')
    await outbox.send(tx, MAIL, [{ data: { ...job, sealed } satisfies LetterJob }])
  }

  /** A letter is not retried after its last attempt: its sender offers another way, such as a link to copy. */
  async function sendLetter({ id, createdOn, data: job, isFirst, signal }: QueuedMessage<LetterJob>): Promise<void> {
    const { to, lang, ...content } = JSON.parse(
      secretBox.open(Buffer.from(job.sealed, 'base64'), ownerOf(job)),
    ) as OtherLetter
    if (isFirst && !(await isWithinBudget(job, to))) return
    const message = { id: derivedUuid(id, job.kind), date: createdOn, to: { name: '', address: to }, lang, ...content }
    await mailer.send(message, signal).catch((error) => {
      if (!(error instanceof NotSent)) throw error
      log.warn({ mail: id, kind: job.kind, reason: error.message }, 'e-mail not sent')
      if (signal.aborted || !error.isFinal) throw error
    })
  }

  /** Sends a test message. @throws Problem 400 for an invalid address; NotSent */
  async function test(address: string): Promise<void> {
    if (mailAddress(address) === undefined) throw badRequest(`Invalid e-mail address "${address}".`)
    await mailer.send({
      id: randomUUID(),
      date: new Date(),
      to: { name: '', address },
      subject: 'Test of the product passport gateway',
      text: `This is a test message of the gateway at ${config.baseUrl}.\n`,
      lang: 'en',
    })
  }

  async function attempt(message: QueuedMessage<MailJob | LetterJob>): Promise<void> {
    const { data } = message
    await (data.kind === 'letter' ? sendLetter({ ...message, data }) : send({ ...message, data })).catch((error) => {
      if (!(error instanceof NotSent)) log.error({ err: error, mail: message.id }, 'e-mail could not be composed')
      throw error
    })
  }

  /** Attempts a message. Errors are retried; a final failure is reported to the workspace. */
  async function send({ id, createdOn, data: job, isFirst, isLast, signal }: QueuedMessage<MailJob>): Promise<void> {
    const { tenantId, grantId } = job
    const entities = database.entities(database.forTenant(tenantId))
    const grant = await entities.findOne(AccessGrant, { id: grantId, tenantId })
    if (grant === null || !isDue(job, grant)) return
    const workspace = job.kind === 'request' ? await entities.findOne(Workspace, { id: tenantId }) : null
    const address = job.kind === 'request' ? workspace?.email : grant.granteeEmail
    if (!address) return
    if (isFirst && !(await isWithinBudget(job, address))) {
      const isAwaited = job.kind === 'approved' || job.kind === 'denied'
      if (isAwaited) await giveUp(id, job, grant, 'the daily limit of messages to this address is reached.')
      return
    }
    const lang = job.kind === 'request' ? 'en' : (grant.language ?? 'en')
    const letter = letterOf(job, await matterOf(job, grant, lang), lang)
    try {
      const message = { id: derivedUuid(id, job.kind), date: createdOn, to: { name: '', address }, lang, ...letter }
      await mailer.send(message, signal)
    } catch (error) {
      if (!(error instanceof NotSent)) throw error
      log.warn({ mail: id, kind: job.kind, reason: error.message }, 'e-mail not sent')
      if (signal.aborted || !(error.isFinal || isLast)) throw error
      await giveUp(id, job, grant, error.message)
    }
  }

  async function isWithinBudget({ tenantId, kind }: MailJob | LetterJob, address: string): Promise<boolean> {
    const hash = createHash('sha256')
      .update(`${kind} ${mailboxOf(address)}`)
      .digest()
    return isWithinMailBudget(database.forTenant(tenantId), hash, MAX_A_DAY[kind])
  }

  async function matterOf({ tenantId }: MailJob, row: AccessGrant, lang: string): Promise<Matter> {
    const grant = grantForm(row)
    const passport = await passportRows.load(database.forTenant(tenantId), grant.passportId ?? '')
    if (passport === undefined) throw new Error(`The passport of grant ${grant.id} cannot be read.`)
    return {
      grant,
      product: textFor(passport.metadata.productName, [lang]) ?? passport.productId,
      company: passport.operator.name,
      subjectUrl: subjectUrl(config.baseUrl, grant),
    }
  }

  function letterOf(job: MailJob, matter: Matter, lang: string): Letter {
    const t = (key: string, params?: object) => translator.translate(lang, 'mail', key, params)
    const secret = () => secretBox.open(Buffer.from(job.sealed ?? '', 'base64'), ownerOf(job))
    switch (job.kind) {
      case 'request':
        return requestLetter(matter, config.baseUrl)
      case 'receipt':
        return receiptLetter(matter, t, followUrl(config.baseUrl, secret(), lang))
      case 'approved':
        return approvedLetter(matter, t, {
          url: `${grantUrl(config.baseUrl, matter.grant, secret())}&lang=${lang}`,
          until: new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(
            new Date(matter.grant.expiresAt),
          ),
        })
      case 'denied':
        return deniedLetter(matter, t)
    }
  }

  async function giveUp(id: string, { tenantId, kind }: MailJob, grant: AccessGrant, reason: string): Promise<void> {
    const recipient = kind === 'request' ? 'the workspace' : 'the requester'
    await database.transaction(tenantId, async (tx) =>
      moduleHooks.notify(tx, {
        id: derivedUuid(id, 'mail.failed'),
        type: 'mail.failed',
        operatorId: grant.operatorId ?? null,
        subjectId: grant.id,
        message: `An e-mail about a request for access could not be sent to ${recipient} and is not retried: ${reason}`,
      }),
    )
  }
}

function isDue({ kind }: MailJob, grant: AccessGrant): boolean {
  const state = requestState(grant, new Date())
  if (kind === 'approved') return state === 'approved'
  return kind === 'denied' ? state === 'denied' : state === 'waiting'
}
