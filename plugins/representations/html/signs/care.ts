import { dictionary } from '../../../../src/plugin/index.ts'
import type { Care } from './drawings.ts'

/** Filler words. `machine` and `heat` are not: "Do not machine wash" does not forbid washing. */
const FILLERS: ReadonlySet<string> = new Set(
  'a at be c cycle degrees do it max maximum on programme program setting temperature the to up use'.split(' '),
)
const SAME = dictionary<string>({
  cool: 'low',
  cold: 'low',
  warm: 'medium',
  hot: 'high',
  gentle: 'mild',
  delicate: 'mild',
  delicates: 'mild',
  drycleaning: 'dryclean',
  not: 'no',
  dont: 'no',
  never: 'no',
  non: 'no',
  ironing: 'iron',
  washing: 'wash',
  bleaching: 'bleach',
  drying: 'dry',
})

const MEANINGS = dictionary<Care>(
  Object.fromEntries(
    Object.entries({
      wash30: '30 wash, 30 machine wash',
      wash30Mild: '30 mild wash, 30 machine mild wash, 30 mild',
      wash40: '40 wash, 40 machine wash',
      wash40Mild: '40 mild wash, 40 machine mild wash, 40 mild',
      wash60: '60 wash, 60 machine wash',
      wash95: '95 wash, 95 machine wash',
      washByHand: 'hand wash, by hand wash, hand only wash',
      noWash: 'no wash',
      bleach: 'bleach, any bleach',
      bleachOxygen: 'bleach chlorine no only, bleach only oxygen',
      noBleach: 'bleach no',
      tumble: 'dry tumble, dry normal tumble',
      tumbleLow: 'dry low tumble, dry heat low tumble',
      noTumble: 'dry no tumble',
      dryOnLine: 'dry line',
      dryFlat: 'dry flat',
      iron110: 'iron low, heat iron low, 110 iron',
      iron150: 'iron medium, heat iron medium, 150 iron',
      iron200: 'high iron, heat high iron, 200 iron',
      noIron: 'iron no',
      dryClean: 'clean dry, dryclean',
      noDryClean: 'clean dry no, dryclean no',
    }).flatMap(([care, meanings]) => meanings.split(', ').map((meaning) => [meaning, care as Care])),
  ),
)

const MAX_CHARACTERS = 60

/** Requires exactly the meaning of an English instruction. */
export function careOf(instruction: string): Care | undefined {
  if (instruction.length > MAX_CHARACTERS) return undefined
  const words = (
    instruction
      .toLowerCase()
      .replaceAll("'", '')
      .match(/[\p{L}]+|\d+/gu) ?? []
  )
    .filter((word) => !FILLERS.has(word))
    .map((word) => SAME[word] ?? word)
  return MEANINGS[words.sort().join(' ')]
}
