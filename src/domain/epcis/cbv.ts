import schema from './event-schema.json' with { type: 'json' }

const WORDS = new Set([bizSteps(), dispositions()].flat())

function bizSteps(): readonly string[] {
  return schema.$defs.bizStep.if.anyOf.flatMap((one) => one.enum ?? [])
}

function dispositions(): readonly string[] {
  return schema.$defs.disposition.if.anyOf.flatMap((one) => one.enum ?? [])
}

/** A step or a disposition by its short name where the CBV has it, in whatever form it was written; else as it is. */
export function shortWord(text: string): string {
  const [, word = ''] =
    /^(?:urn:epcglobal:cbv:(?:bizstep|disp):|(?:https:\/\/ref\.gs1\.org\/cbv\/|cbv:)(?:BizStep|Disp)[-/])(\w+)$/.exec(
      text,
    ) ?? []
  return WORDS.has(word) ? word : text
}

/** The web address of a word of the CBV; what is none stays as it is. */
export function longWord(text: string): string {
  if (!WORDS.has(text)) return text
  return `https://ref.gs1.org/cbv/${bizSteps().includes(text) ? 'BizStep' : 'Disp'}-${text}`
}
