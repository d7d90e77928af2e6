import { describe, expect, test } from 'vitest'
import { LAYOUTS, type Layout, layoutOf, USUAL_LAYOUT } from './layouts.ts'

describe('the layouts that come with the gateway', () => {
  test('are these', () => {
    expect(Object.keys(LAYOUTS).sort()).toEqual(['5160', 'L7159', 'L7160', 'L7163', 'roll-100x50', 'roll-50x25'])
    expect(LAYOUTS[USUAL_LAYOUT]?.title).toContain('Avery L7160')
    expect(LAYOUTS.constructor).toBeUndefined()
  })

  test.each(Object.entries(LAYOUTS))('%s lies in the middle of its page, as sheets of labels do', (_, layout) => {
    const { page, label, first, columns, rows, pitch } = layout
    const right = page.width - (first.left + (columns - 1) * pitch.x + label.width)
    const bottom = page.height - (first.top + (rows - 1) * pitch.y + label.height)
    expect(Math.abs(right - first.left)).toBeLessThan(0.6)
    expect(Math.abs(bottom - first.top)).toBeLessThan(0.6)
  })
})

describe('an invalid layout file is rejected by name', () => {
  const good = LAYOUTS.L7160 as Layout
  test.each<[string, unknown, string]>([
    ['no object', [], 'the layout must be an object.'],
    ['no page', { ...good, page: undefined }, 'page must be an object.'],
    ['a width in words', { ...good, page: { ...good.page, width: '210' } }, 'page.width must be a number'],
    [
      'a width that is no number',
      { ...good, label: { ...good.label, width: Number.NaN } },
      'label.width must be a number',
    ],
    ['half a column', { ...good, columns: 1.5 }, 'columns and rows must be integers.'],
    ['no title', { ...good, title: '' }, 'title must be a string.'],
    ['labels upon each other', { ...good, pitch: { ...good.pitch, x: 60 } }, 'labels overlap: pitch.x'],
    ['rows upon each other', { ...good, pitch: { ...good.pitch, y: 30 } }, 'labels overlap: pitch.y'],
    ['a column too many', { ...good, columns: 4 }, 'the last column ends beyond the page.'],
    ['a row too many', { ...good, rows: 8 }, 'the last row ends beyond the page.'],
    ['nothing but padding', { ...good, label: { ...good.label, padding: 20 } }, 'label.padding leaves no space'],
    ['a page of a mile', { ...good, page: { width: 1e9, height: 1e9 } }, 'page.width must be a number from 5 to 2000'],
  ])('%s', (_, json, message) => {
    expect(() => layoutOf(json, 'bad.json')).toThrow(`layouts/bad.json: ${message}`)
  })
})
