import {
  type BatchView,
  type PassportView,
  type PlainRepresentation,
  type RenderContext,
  type Rendered,
  runYielding,
  type UnitView,
} from '../../../src/plugin/index.ts'
import { batchContent, passportContent, unitContent } from './document/content.ts'
import type { Element } from './document/element.ts'
import { compressed, full } from './document/forms.ts'
import { batchHeader, type Header, passportHeader, unitHeader } from './document/header.ts'

export type Form = 'compressed' | 'full'

/** JSON forms of EN 18223, rendered and stored like other formats of passports. They are only served below the prefix of EN 18222. */
export const FORMS: Readonly<Record<Form, PlainRepresentation>> = {
  compressed: representation('en-18223', compressedText),
  full: representation('en-18223-full', fullText),
}

export const formOf = (representation: string | undefined): Form => (representation === 'full' ? 'full' : 'compressed')

type Write = (header: Header, content: Iterable<Element>) => Iterator<unknown, string>

function representation(name: string, write: Write): PlainRepresentation {
  const rendered = async (header: Header, content: Iterable<Element>): Promise<Rendered> => ({
    body: await runYielding(write(header, content)),
  })
  const render = (view: PassportView, { describe }: RenderContext) =>
    rendered(passportHeader(view), passportContent(view, describe))
  return {
    kind: 'representation',
    name,
    mediaTypes: ['application/json'],
    render,
    renderVersion: render,
    renderUnit: (unit: UnitView, { describe }) => rendered(unitHeader(unit), unitContent(unit, describe)),
    levels: {
      batch: {
        render: (batch: BatchView, { describe }) => rendered(batchHeader(batch), batchContent(batch, describe)),
      },
    },
  }
}

function* compressedText(header: Header, content: Iterable<Element>): Generator<void, string> {
  const members: string[] = []
  for (const element of content) {
    members.push(`${JSON.stringify(element.id)}:${JSON.stringify(compressed(element))}`)
    yield
  }
  const head = JSON.stringify(header)
  return members.length === 0 ? head : `${head.slice(0, -1)},${members.join(',')}}`
}

function* fullText(header: Header, content: Iterable<Element>): Generator<void, string> {
  const elements: string[] = []
  for (const element of content) {
    elements.push(JSON.stringify(full(element)))
    yield
  }
  return `${JSON.stringify(header).slice(0, -1)},"elements":[${elements.join(',')}]}`
}
