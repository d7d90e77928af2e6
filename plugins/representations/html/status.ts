import { contactHref, type PassportView, type RecallView, type Superseded, tierOf } from '../../../src/plugin/index.ts'
import { codeOf, withLanguage } from './own-links.ts'
import { safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'
import { wordsOf } from './value.ts'

export interface Banner {
  readonly tone: 'danger' | 'notice' | 'preview'
  readonly icon: 'alert' | 'archive' | 'pencil' | 'key' | 'scan'
  readonly title: string
  readonly text: string
  readonly words?: { readonly text: string; readonly lang?: string }
  readonly contact?: { readonly label: string; readonly href?: string; readonly text: string }
  readonly link?: { readonly href: string; readonly label: string; readonly isAway?: boolean }
}

/** Returns the banners of an earlier version, with the current status. */
export function bannersOfEarlier(view: PassportView, superseded: Superseded, texts: Texts): Banner[] {
  const { t, formats } = texts
  const { number, at, currentUrl, statusNow } = superseded
  const earlier: Banner = {
    tone: 'notice',
    icon: 'archive',
    title: t('earlier.title', { version: formats.number(number) }),
    text: t('earlier.text', { date: formats.date(at) ?? at }),
    link: { href: withLanguage(currentUrl, codeOf(texts)), label: t('earlier.current') },
  }
  return [...bannersOf({ ...view, status: statusNow }, texts), earlier]
}

export function bannersOf(view: PassportView, texts: Texts): Banner[] {
  const { status, archivedAt, retentionUntil, audience, recall } = view
  const { t, formats } = texts
  const banners: Banner[] = []
  const until = retentionUntil === null ? undefined : formats.date(retentionUntil)
  const retention = until === undefined ? t('status.kept') : t('status.keptUntil', { date: until })
  if (status === 'RECALLED') {
    const since = recall === null ? undefined : formats.date(recall.at)
    banners.push({
      tone: 'danger',
      icon: 'alert',
      title: t('status.recalled.title'),
      text: [since && t('recall.since', { date: since }), recall?.reason ? undefined : t('status.recalled.text')]
        .filter(Boolean)
        .join(' '),
      ...(recall === null ? {} : recallBanner(recall, texts)),
    })
  }
  if (status === 'DECOMMISSIONED') {
    const text = `${t('status.decommissioned.text')} ${retention}`
    banners.push({ tone: 'notice', icon: 'archive', title: t('status.decommissioned.title'), text })
  }
  if (status === 'DRAFT') {
    banners.push({ tone: 'preview', icon: 'pencil', title: t('status.draft.title'), text: t('status.draft.text') })
  }
  if (archivedAt !== null && status !== 'DECOMMISSIONED') {
    const text = `${t('status.archived.text')} ${retention}`
    banners.push({ tone: 'notice', icon: 'archive', title: t('status.archived.title'), text })
  }
  const tier = tierOf(audience)
  // Drafts are visible only to the owner and have an own banner.
  if (tier === 'restricted' || (tier === 'owner' && status !== 'DRAFT')) {
    banners.push({ tone: 'preview', icon: 'key', title: t(`tier.${tier}.title`), text: t(`tier.${tier}.text`) })
  }
  const instead = texts.category.withoutPassport(view.metadata)
  if (instead !== undefined) banners.push({ tone: 'notice', icon: 'scan', ...instead })
  return banners
}

function recallBanner({ reason, contact, url }: RecallView, texts: Texts): Pick<Banner, 'words' | 'contact' | 'link'> {
  const { t } = texts
  const href = safeUrl(url)
  return {
    words: wordsOf(reason ?? undefined, texts),
    contact: contact === null ? undefined : { label: t('recall.contact'), href: contactHref(contact), text: contact },
    link: href === undefined ? undefined : { href, label: t('recall.more'), isAway: true },
  }
}
