import { onDark } from '../../../src/plugin/index.ts'

/** Returns CSS rules for the company's accent colour, lightened in dark mode for contrast. */
export const accentRules = (accent: string): string =>
  `:root{--accent:${accent}}@media screen and (prefers-color-scheme:dark){:root{--accent:${onDark(accent)}}}`
