/** In order: browsers also name those that they imitate. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Name for people, such as “Firefox, Linux”. */
export function browserName(agent: string): string {
  const nameIn = (list: readonly (readonly [string, RegExp])[]) => list.find(([, pattern]) => pattern.test(agent))?.[0]
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined).join(', ')
}
