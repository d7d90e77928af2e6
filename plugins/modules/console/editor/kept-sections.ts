import type { Metadata } from '../../../../src/plugin/index.ts'
import type { SectionEntry } from '../entry-rows.ts'
import { type FormModel, ofSection } from './fields.ts'
import { mergeInto } from './merge.ts'
import type { Notation } from './notation.ts'
import { readForm } from './read-form.ts'

/** Entry as a page announces it: with its time, since another tab may change it. */
export const announcementOf = ({ section, at }: SectionEntry): string => `${section}@${at}`

/**
 * Entries that the page announced: a correction seals nothing that its person did not see.
 * @returns the section that has changed since, if any
 */
export function announced(
  entries: readonly SectionEntry[],
  announcements = '',
): { readonly entries: readonly SectionEntry[]; readonly changed?: string } {
  const expected = new Set(announcements.split(','))
  const sections = new Set([...expected].map((one) => one.split('@')[0]))
  const changed = entries.find((entry) => sections.has(entry.section) && !expected.has(announcementOf(entry)))
  return {
    entries: entries.filter((entry) => expected.has(announcementOf(entry))),
    ...(changed && { changed: changed.section }),
  }
}

/**
 * Adds the changes of other sections.
 * @returns the section that must be corrected or merged first, if any
 */
export function withSections(
  metadata: Metadata,
  entries: readonly SectionEntry[],
  model: FormModel,
  { notation, baseOf }: { readonly notation: Notation; baseOf(text: string | undefined): Metadata },
): { readonly metadata: Metadata; readonly open?: string } {
  let merged = metadata
  for (const { section, values } of entries) {
    const fields = ofSection(model, section)
    const base = baseOf(values.base)
    const read = readForm({ fields, sections: [] }, values, base, notation)
    const { metadata: next, conflicts } = mergeInto(merged, pick(base, fields), pick(read.metadata, fields), values)
    if (read.faults.length > 0 || conflicts.length > 0) return { metadata: merged, open: section }
    merged = next
  }
  return { metadata: merged }
}

/** Values of the fields. */
export function pick(metadata: Metadata, fields: FormModel['fields']): Metadata {
  const keys = new Set(fields.map(({ key }) => key))
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => keys.has(key)))
}
