import { setImmediate } from 'node:timers/promises'
import type { Pages, RenderContext, Rendered, RepresentationPlugin } from '../../../src/plugin/index.ts'
import { accessPage, accessStatusPage } from './access-page.ts'
import { batchPage } from './batch-page.ts'
import { ceasedUnitPage } from './ceased-unit-page.ts'
import { choicesPage } from './choices-page.ts'
import { doorPage, doorTexts, vocabularyPage } from './door-page.ts'
import { codeOf, withLanguage } from './own-links.ts'
import { passportPage } from './passport-page.ts'
import { passportSheet } from './pdf.ts'
import { problemPage } from './problem-page.ts'
import { referencePage } from './reference-page.ts'
import type { Banner } from './status.ts'
import { renderOwn, renderReference, renderScripted, renderTemplate, scriptOf } from './templates.ts'
import { type Texts, textsFor } from './texts.ts'
import { unitPage } from './unit-page.ts'
import { verifierPage, verifierTexts } from './verifier-page.ts'

const doorScript = scriptOf('page.js', 'door.js')
const verifierScript = scriptOf('page.js', 'verifier.js')

const noticesOf = ({ notice }: RenderContext, accessUrl: string, { t }: Texts): Banner[] =>
  notice === undefined
    ? []
    : [
        {
          tone: 'preview',
          icon: 'key',
          title: t('access.ended.title'),
          text: t('access.ended.text'),
          link: { href: accessUrl, label: t('access.link') },
        },
      ]

/** HTML page of a passport: one accessible document without required scripts or requests (EN 18216, EN 301 549). */
export const html = {
  kind: 'representation',
  name: 'html',
  mediaTypes: ['text/html'],
  rank: 5,
  localised: true,
  render(view, context) {
    const texts = textsFor(context, view.metadata)
    const page = passportPage(view, texts, context.mediaTypes, null, context.grant)
    const notices = noticesOf(
      context,
      withLanguage(`${view.baseUrl}/request-access?passport=${view.id}`, codeOf(texts)),
      texts,
    )
    const shown = { ...page, banners: [...page.banners, ...notices] }
    return renderTemplate('passport', shown, texts)
  },
  renderVersion(view, context) {
    const texts = textsFor(context, view.metadata)
    return renderTemplate(
      'passport',
      passportPage(view, texts, context.mediaTypes, view.superseded, context.grant),
      texts,
    )
  },
  renderUnit(view, context) {
    const texts = textsFor(context, view.ofModel.metadata)
    const page = unitPage(view, texts, context.mediaTypes, context.grant)
    const accessUrl = withLanguage(`${view.ofModel.baseUrl}/request-access?unit=${view.id}`, codeOf(texts))
    const shown = { ...page, banners: [...page.banners, ...noticesOf(context, accessUrl, texts)] }
    return renderTemplate('unit', shown, texts)
  },
  levels: {
    batch: {
      render(view, context) {
        const texts = textsFor(context, view.ofModel.metadata)
        const page = batchPage(view, texts, context.mediaTypes, context.grant)
        const accessUrl = withLanguage(`${view.baseUrl}/request-access?passport=${view.ofModel.id}`, codeOf(texts))
        const shown = { ...page, banners: [...page.banners, ...noticesOf(context, accessUrl, texts)] }
        return renderTemplate('batch', shown, texts)
      },
    },
  },
  renderCeasedUnit(view, context) {
    const texts = textsFor(context)
    return renderOwn('ceased-unit', ceasedUnitPage(view, texts), texts)
  },
  renderProblem(problem, context, requested) {
    const texts = textsFor(context)
    return renderOwn('problem', problemPage(problem, requested, texts), texts)
  },
  renderChoices(choices, context) {
    const texts = textsFor(context)
    return renderOwn('choices', choicesPage(choices, texts), texts)
  },
  renderAccessRequest(page, context) {
    const texts = textsFor(context)
    return renderOwn('access', accessPage(page, texts), texts)
  },
  renderAccessStatus(page, context) {
    const texts = textsFor(context)
    return renderOwn('access', accessStatusPage(page, texts), texts)
  },
  renderPage(name, data, context) {
    return PAGES[name](data, textsFor(context))
  },
} satisfies RepresentationPlugin

/** PDF sheet of a passport, tagged for accessibility (ISO 14289-1). */
export const pdf = {
  kind: 'representation',
  name: 'pdf',
  mediaTypes: ['application/pdf'],
  localised: true,
  async render(view, context) {
    await context.countSlowWork?.()
    const texts = textsFor(context, view.metadata)
    const page = passportPage(view, texts, context.mediaTypes)
    await setImmediate()
    return { body: await passportSheet(page, texts, new Date(view.updatedAt)) }
  },
} satisfies RepresentationPlugin

const PAGES: { readonly [Name in keyof Pages]: (data: Pages[Name], texts: Texts) => Rendered } = {
  door: (view, texts) =>
    renderScripted('door', doorPage(view, texts), texts, { script: doorScript, texts: doorTexts(texts) }),
  verifier: ({ script }, texts) =>
    renderScripted('verifier', verifierPage(texts), texts, {
      script: `'use strict'\n${script}\n${verifierScript}`,
      texts: verifierTexts(texts),
    }),
  reference: (view, texts) => renderReference(referencePage(view), texts),
  vocabulary: (view, texts) => renderOwn('vocabulary', vocabularyPage(view, texts), texts),
}

export default [html, pdf]
