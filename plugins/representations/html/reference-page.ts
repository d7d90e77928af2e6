import type { ReferenceView } from '../../../src/plugin/index.ts'

export const referencePage = (view: ReferenceView) => ({
  ...view,
  lang: 'en',
  heading: view.title,
  title: view.trail.length === 0 ? view.title : `${view.title} · API reference`,
  text: view.lead,
})
