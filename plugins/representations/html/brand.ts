import { onDark } from '../../../src/plugin/index.ts'

/** Lightened in dark mode for contrast. */
export const accentRules = (accent: string): string =>
  `:root{--accent:${accent}}@media screen and (prefers-color-scheme:dark){:root{--accent:${onDark(accent)}}}`
