type Formats = ReturnType<typeof newFormats>

/** By language, of which there are few. */
const known = new Map<string, Formats>()

/** Dates and numbers in the reader's language, in UTC. English is that of the European Union. */
export function formatsOf(language: string): Formats {
  const formats = known.get(language) ?? newFormats(language)
  known.set(language, formats)
  return formats
}

function newFormats(language: string) {
  const lang = language === 'en' ? 'en-GB' : language
  const day = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const number = new Intl.NumberFormat(lang)
  return {
    day: (value: string | Date) => day.format(new Date(value)),
    moment: (value: string | Date) => `${moment.format(new Date(value))} UTC`,
    number: (value: number) => number.format(value),
    languageName: (code: string) => new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
  }
}
