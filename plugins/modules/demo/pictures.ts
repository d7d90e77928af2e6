import { readFile } from 'node:fs/promises'
import type { ModuleCradle, Principal } from '../../../src/plugin/module.ts'

const DRAWINGS = {
  battery: { en: 'Drawing of the battery', de: 'Zeichnung der Batterie' },
  shirt: { en: 'Drawing of the overshirt', de: 'Zeichnung des Hemds' },
  gateway: { en: 'Drawing of the energy manager', de: 'Zeichnung des Energiemanagers' },
} as const

export async function addDemoPicture(
  { media }: ModuleCradle,
  principal: Principal,
  passportId: string,
  name: keyof typeof DRAWINGS,
): Promise<void> {
  const bytes = await readFile(new URL(`pictures/${name}.webp`, import.meta.url))
  await media.add(principal, passportId, { bytes, declared: 'image/webp', title: DRAWINGS[name], document: {} })
}
