// Own drawings after Regulation (EC) No 1272/2008 Annex V (pictograms), Regulation (EC) No 765/2008 Annex II (CE marking), Regulation (EU)
// 2023/1542 Annex VI (bin) and ISO 3758 (care). Colours set by law are fixed.

const svg = (viewBox: string, content: string): string =>
  `<svg class="drawn" viewBox="${viewBox}" aria-hidden="true">${content}</svg>`

const diamond = (symbol: string, scale = 1): string =>
  svg(
    '0 0 100 100',
    `<path d="M50 4 96 50 50 96 4 50z" fill="#fff" stroke="#d4001a" stroke-width="5"/><g transform="translate(50 52) scale(${scale}) translate(-50 -52)">${symbol}</g>`,
  )

const FLAME = 'c-2 7 3 11 7 16 3 4 5 8 5 13 0 9-7 15-15 15s-15-6-15-14c0-7 4-11 6-17 1 4 2 6 4 7 0-8 3-14 8-20z'

export const PICTOGRAMS = {
  GHS01: diamond(
    '<circle cx="43" cy="60" r="13"/><path d="m50 48 3-10 4 7 5-17 3 18 13-10-8 14 14 1-14 5 7 8-11-3-3 8-4-9z"/><path d="M25 45 17 41M30 38l-4-8M39 34V24M22 75h54" stroke="#000" stroke-width="3.5"/>',
    0.84,
  ),
  GHS02: diamond(`<path d="M52 19${FLAME}"/><path d="M32 75h36" stroke="#000" stroke-width="4.5"/>`),
  GHS03: diamond(
    `<g transform="translate(11 10) scale(.75)"><path d="M52 6${FLAME}"/></g><circle cx="50" cy="62" r="11.5" fill="#fff" stroke="#000" stroke-width="5"/><path d="M34 80h32" stroke="#000" stroke-width="4.5"/>`,
  ),
  GHS04: diamond(
    '<g transform="rotate(-27 50 50)"><rect x="20" y="42" width="48" height="17" rx="8"/><path d="M66 46h6v-3h8v15h-8v-3h-6z"/></g>',
  ),
  GHS05: diamond(
    '<g fill="none" stroke="#000" stroke-width="3"><path d="m22 36 22-9 3 6-22 9zM78 36l-22-9-3 6 22 9z"/></g><path d="M29 44v5M35 42v8M71 44v5M65 42v8" stroke="#000" stroke-width="3"/><path d="M18 62h10l4 5 4-5h9v7H18zM52 60c6-4 10-3 12 0l3 4 4-6c6 2 9 5 10 9-9 6-20 8-31 5-3-1-4-3-1-4h10l-9-4z"/>',
    0.84,
  ),
  GHS06: diamond(
    '<path d="m27 60 46 16M73 60 27 76" stroke="#000" stroke-width="6" stroke-linecap="round"/><path d="M50 20c13 0 20 8 20 19 0 7-3 11-8 14v8c-7 4-17 4-24 0v-8c-5-3-8-7-8-14 0-11 7-19 20-19z" stroke="#fff"/><path d="M36 38c2-4 10-3 11 2 0 5-10 7-11-2zM64 38c-2-4-10-3-11 2 0 5 10 7 11-2zM50 46l-3 6h6zM45 56v6M50 57v6M55 56v6" fill="#fff" stroke="#fff" stroke-width="1.5"/>',
  ),
  GHS07: diamond('<path d="M43 22h14l-3.5 36h-7z"/><circle cx="50" cy="70" r="6.5"/>'),
  GHS08: diamond(
    '<path d="M50 17c6 0 9 4 9 10 0 5-2 8-4 10v4l14 5c6 2 8 7 8 13v6L60 82H40L23 65v-6c0-6 2-11 8-13l14-5v-4c-2-2-4-5-4-10 0-6 3-10 9-10z"/><path d="m50 44 4 9 8-5-3 9 10 3-9 4 5 8-10-3-5 9-4-9-9 4 4-9-9-4 10-3-4-9 9 5z" fill="#fff"/>',
    0.84,
  ),
  GHS09: diamond(
    '<path d="M14 68h24l-3-22-7-6 1-1 6 4-1-11-8-8 1-1 8 6 2-8h2l1 11 9-6 1 1-10 9 1 9 7-5 1 1-8 8 2 19h43v3H14z"/><path d="M45 58c8-9 22-9 29-2l9-5-2 8 3 6-10-2c-7 7-21 5-29-5z"/><path d="M51 55v3" stroke="#fff" stroke-width="3"/>',
    0.78,
  ),
} as const

export type Pictogram = keyof typeof PICTOGRAMS

const line = (content: string): string =>
  svg(
    '0 0 32 32',
    `<g fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round">${content}</g>`,
  )
const letters = (text: string, x: number, y: number, size: number): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="700" text-anchor="middle" fill="currentColor" stroke="none">${text}</text>`
const path = (d: string): string => `<path d="${d}"/>`

const CROSS = path('M3 4l26 24M29 4 3 28')
const BIN = path('M8 9h16l-1.5 17h-13zM6.5 9h19M12 9V6.5h7V9') + path('M4 5l24 23M28 5 4 28')

export const MARKS = {
  alert: line(`${path('M16 4 2.5 28h27z')}${path('M16 13v7')}<circle cx="16" cy="24" r=".75" fill="currentColor"/>`),
  // EN 71-1, clause 7: face and numbers black, circle and bar red.
  under3: svg(
    '0 0 32 32',
    '<circle cx="16" cy="16" r="14" fill="#fff" stroke="#d4001a" stroke-width="2.5"/><path d="M6 6l20 20" stroke="#d4001a" stroke-width="2.5"/><g fill="none" stroke="#000"><circle cx="16" cy="11.5" r="5"/><path d="M13.5 14c1.5-2 3.5-2 5 0"/></g><path d="M13.5 9.500h1.500v1.500h-1.500zM17 9.500h1.500v1.500H17z"/><text x="16" y="25" font-size="8" font-weight="700" text-anchor="middle" fill="#000">0-3</text>',
  ),
  ce: svg(
    '0 0 280 200',
    '<path fill="currentColor" d="M110 199.500A100 100 0 1 1 110 .5v30a70 70 0 1 0 0 139zM280 199.500A100 100 0 1 1 280 .5v30A70 70 0 0 0 201.6 85H260v30h-58.400A70 70 0 0 0 280 169.500z"/>',
  ),
  bin: line(BIN),
  cadmium: line(letters('Cd', 16, 23, 20)),
  lead: line(letters('Pb', 16, 23, 20)),
} as const

/** Scale of Regulation (EU) 2017/1369, Article 11(2); black text has a contrast of at least 4.5. */
const CLASS_COLOURS = {
  A: '00a651',
  B: '50b848',
  C: 'bfd730',
  D: 'fff200',
  E: 'fdb913',
  F: 'f37021',
  G: 'ed1c24',
} as const

type EnergyClass = keyof typeof CLASS_COLOURS

export const isEnergyClass = (text: unknown): text is EnergyClass =>
  typeof text === 'string' && Object.hasOwn(CLASS_COLOURS, text)

export const energyArrow = (energyClass: EnergyClass): string =>
  svg(
    '0 0 64 32',
    `<path d="M.5.5h15v31H.5z" fill="#fff" stroke="#000"/><g font-weight="700" text-anchor="middle"><text x="8" y="11" font-size="9">A</text><text x="8" y="29" font-size="9">G</text><path d="M8 20v-6m-2.5 2.500L8 14l2.5 2.5" fill="none" stroke="#000"/><path d="M17 .5h32L63 16 49 31.500H17z" fill="#${CLASS_COLOURS[energyClass]}" stroke="#000"/><text x="35" y="25" font-size="25">${energyClass}</text></g>`,
  )

const TUB = 'M2.5 8 6 27h20l3.5-19M4 13c3-3 5-3 8 0s5 3 8 0 5-3 8 0'
const wash = (degrees: number): string => path(TUB) + letters(String(degrees), 16, 24, 10)
const MILD = path('M6 30.500h20')
const TRIANGLE = 'M16 4 30 28H2z'
const SQUARE = 'M4 4h24v24H4z'
const IRON = 'M3 26h26L26.5 9H10M4 26c0-6 4-9 9-9h14.5'
const ROUND = '<circle cx="16" cy="16" r="12"/>'
const dots = (count: 1 | 2 | 3, y: number): string =>
  [[16], [13, 19], [11, 16, 21]][count - 1]
    ?.map((x) => `<circle cx="${x}" cy="${y}" r="1.250" fill="currentColor"/>`)
    .join('') ?? ''

export const CARE = {
  wash30: line(wash(30)),
  wash30Mild: line(wash(30) + MILD),
  wash40: line(wash(40)),
  wash40Mild: line(wash(40) + MILD),
  wash60: line(wash(60)),
  wash95: line(wash(95)),
  washByHand: line(path(`${TUB}M10 4l2 10 2 5 7 2M14 19c0-4 2-6 4-6`)),
  noWash: line(path(TUB) + CROSS),
  bleach: line(path(TRIANGLE)),
  bleachOxygen: line(path(`${TRIANGLE}M12 27l8-15M18 27l5.5-9.5`)),
  noBleach: line(path(TRIANGLE) + CROSS),
  tumble: line(path(SQUARE) + ROUND + dots(2, 16)),
  tumbleLow: line(path(SQUARE) + ROUND + dots(1, 16)),
  noTumble: line(path(SQUARE) + ROUND + CROSS),
  dryOnLine: line(path(`${SQUARE}M4 4c6 9 18 9 24 0`)),
  dryFlat: line(path(`${SQUARE}M9 16h14`)),
  iron110: line(path(IRON) + dots(1, 21.5)),
  iron150: line(path(IRON) + dots(2, 21.5)),
  iron200: line(path(IRON) + dots(3, 21.5)),
  noIron: line(path(IRON) + CROSS),
  dryClean: line(ROUND + letters('P', 16, 22, 16)),
  noDryClean: line(ROUND + CROSS),
} as const

export type Care = keyof typeof CARE
