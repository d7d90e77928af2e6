import schema from './event-schema.json' with { type: 'json' }

const WORDS = new Set([bizSteps(), dispositions()].flat())

function bizSteps(): readonly string[] {
  return schema.$defs.bizStep.if.anyOf.flatMap((one) => one.enum ?? [])
}

function dispositions(): readonly string[] {
  return schema.$defs.disposition.if.anyOf.flatMap((one) => one.enum ?? [])
}

/** Other texts stay unchanged. */
export function shortWord(text: string): string {
  const [, word = ''] =
    /^(?:urn:epcglobal:cbv:(?:bizstep|disp):|(?:https:\/\/ref\.gs1\.org\/cbv\/|cbv:)(?:BizStep|Disp)[-/])(\w+)$/.exec(
      text,
    ) ?? []
  return WORDS.has(word) ? word : text
}

/** Other texts stay unchanged. */
export function longWord(text: string): string {
  if (!WORDS.has(text)) return text
  return `https://ref.gs1.org/cbv/${bizSteps().includes(text) ? 'BizStep' : 'Disp'}-${text}`
}
