import { onDark } from '../../../src/plugin/index.ts'

/**
 * Rules of a style sheet that give the page its company's colour: as it is on the light page, and on the dark one as much
 * lighter as it has to be, since no colour can be read on both.
 */
export const accentRules = (accent: string): string =>
  `:root{--accent:${accent}}@media screen and (prefers-color-scheme:dark){:root{--accent:${onDark(accent)}}}`
