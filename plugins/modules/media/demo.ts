import { readFile } from 'node:fs/promises'
import type { DemoContent } from '../../../src/plugin/module.ts'
import type { Cradle } from './cradle.ts'

const TITLES = {
  battery: { en: 'Drawing of the battery', de: 'Zeichnung der Batterie' },
  shirt: { en: 'Drawing of the overshirt', de: 'Zeichnung des Hemds' },
  energyManager: { en: 'Drawing of the energy manager', de: 'Zeichnung des Energiemanagers' },
} as const

export default async function demo({ media }: Cradle, { principal, passports }: DemoContent): Promise<void> {
  for (const name of ['battery', 'shirt', 'energyManager'] as const) {
    const bytes = await readFile(new URL(`demo-pictures/${name}.webp`, import.meta.url))
    const upload = { bytes, declared: 'image/webp', title: TITLES[name], document: {} }
    await media.add(principal, passports[name].id, upload)
  }
}
