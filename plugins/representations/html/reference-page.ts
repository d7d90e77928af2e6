import type { ReferenceView } from '../../../src/plugin/index.ts'

/** Everything that `templates/reference.eta` writes; the reference is in English. */
export const referencePage = (view: ReferenceView) => ({
  ...view,
  lang: 'en',
  heading: view.title,
  title: view.trail.length === 0 ? view.title : `${view.title} · API reference`,
  text: view.lead,
})
