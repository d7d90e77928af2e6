import type { Metadata } from '../../../../src/plugin/index.ts'
import type { SectionEntry } from '../entry-rows.ts'
import { type FormModel, ofSection } from './fields.ts'
import { mergeInto } from './merge.ts'
import type { Notation } from './notation.ts'
import { readForm } from './read-form.ts'

/** Entries that the page announced: a correction seals nothing that its person did not see. */
export const announced = (entries: readonly SectionEntry[], names = ''): readonly SectionEntry[] =>
  entries.filter(({ section }) => names.split(',').includes(section))

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
