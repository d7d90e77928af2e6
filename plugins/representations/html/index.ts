import type { RepresentationPlugin } from '../../../src/plugin/index.ts'
import { accessPage, accessStatusPage } from './access-page.ts'
import { ceasedUnitPage } from './ceased-unit-page.ts'
import { choicesPage } from './choices-page.ts'
import { passportPage } from './passport-page.ts'
import { passportSheet } from './pdf.ts'
import { problemPage } from './problem-page.ts'
import { renderTemplate } from './templates.ts'
import { textsFor } from './texts.ts'
import { unitPage } from './unit-page.ts'

const contentType = 'text/html; charset=utf-8'

/**
 * The page that a person sees after scanning the code on a product: one document without scripts, without requests,
 * readable on a phone and by a screen reader (EN 18216 asks for accessible HTML by EN 301 549).
 */
export const html = {
  kind: 'representation',
  name: 'html',
  mediaTypes: ['text/html'],
  rank: 5,
  localised: true,
  render(view, context) {
    const texts = textsFor(context, view.metadata.category)
    return { body: renderTemplate('passport', passportPage(view, texts, context.mediaTypes), texts.t), contentType }
  },
  renderVersion(view, context) {
    const texts = textsFor(context, view.metadata.category)
    const page = passportPage(view, texts, context.mediaTypes, view.superseded)
    return { body: renderTemplate('passport', page, texts.t), contentType }
  },
  renderUnit(view, context) {
    const texts = textsFor(context, view.ofModel.metadata.category)
    return { body: renderTemplate('unit', unitPage(view, texts, context.mediaTypes), texts.t), contentType }
  },
  renderCeasedUnit(view, context) {
    const texts = textsFor(context)
    return { body: renderTemplate('ceased-unit', ceasedUnitPage(view, texts), texts.t), contentType }
  },
  renderProblem(problem, context) {
    const texts = textsFor(context)
    return { body: renderTemplate('problem', problemPage(problem, texts), texts.t), contentType }
  },
  renderChoices(choices, context) {
    const texts = textsFor(context)
    return { body: renderTemplate('choices', choicesPage(choices, texts), texts.t), contentType }
  },
  renderAccessRequest(page, context) {
    const texts = textsFor(context)
    return { body: renderTemplate('access', accessPage(page, texts), texts.t), contentType }
  },
  renderAccessStatus(page, context) {
    const texts = textsFor(context)
    return { body: renderTemplate('access', accessStatusPage(page, texts), texts.t), contentType }
  },
} satisfies RepresentationPlugin

/** The same on a sheet of paper, for whoever has to file it: tagged for readers that speak (ISO 14289-1). */
export const pdf = {
  kind: 'representation',
  name: 'pdf',
  mediaTypes: ['application/pdf'],
  localised: true,
  async render(view, context) {
    const texts = textsFor(context, view.metadata.category)
    return { body: await passportSheet(passportPage(view, texts, context.mediaTypes), texts, new Date(view.updatedAt)) }
  },
} satisfies RepresentationPlugin

export default [html, pdf]
