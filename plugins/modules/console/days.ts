const DAY_MS = 86_400_000

/** Date of a day from today on, in UTC as all dates of the console. */
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** End of a day that a person chose as the last; other texts are left to the validation. */
export const endOfDay = (text = ''): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59Z` : text)
