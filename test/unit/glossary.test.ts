import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { LANGUAGES } from '../support/languages.ts'

const FOLDERS = ['locales', 'plugins/representations/html/locales']

/** Required and forbidden stems of a concept in a language, by the Official Journal. */
interface Term {
  readonly term: RegExp
  readonly never: RegExp
}

/** Electronic seal, by Article 3 of Regulation (EU) No 910/2014. Forbids words for a stamp or for wax. */
const SEAL: Readonly<Record<string, Term>> = {
  bg: { term: /печат/, never: /пломб/ },
  cs: { term: /pečeť|pečeti|peče(tí|tě)|zapeče/, never: /razítk|plomb/ },
  da: { term: /segl/, never: /stempel|plomber/ },
  de: { term: /siegel/, never: /besiegel|versiegel|stempel/ },
  el: { term: /σφραγ/, never: /βουλ[λο]/ },
  en: { term: /seal/, never: /\bstamped\b|signet/ },
  es: { term: /sell/, never: /precint|timbre/ },
  et: { term: /templ|tempel/, never: /pits/ },
  fi: { term: /leima/, never: /sinet/ },
  fr: { term: /cachet/, never: /sceau|scell/ },
  ga: { term: /séal/, never: /stamp/ },
  hr: { term: /pečat|zapeča/, never: /žig/ },
  hu: { term: /bélyegző/, never: /pecsét/ },
  is: { term: /innsigl/, never: /stimpil|stimpla/ },
  it: { term: /sigil/, never: /timbr/ },
  lt: { term: /spaud/, never: /antspaud/ },
  lv: { term: /zīmog/, never: /plomb/ },
  mt: { term: /siġill/, never: /timbru/ },
  nl: { term: /zegel/, never: /stempel/ },
  no: { term: /segl/, never: /stempel|plomber/ },
  pl: { term: /pieczę/, never: /stempl|plomb/ },
  pt: { term: /sel(o|a)/, never: /carimb/ },
  ro: { term: /sigil/, never: /ștampil/ },
  sk: { term: /peča[tť]/, never: /razítk|pečiatk/ },
  sl: { term: /žig/, never: /pečat/ },
  sv: { term: /stämp(el|l)/, never: /sigill|försegl/ },
  tr: { term: /mühür|mühr/, never: /damga/ },
  uk: { term: /печатк/, never: /опечат|запечат/ },
}

/** Recall, by Article 3 of Regulation (EU) 2023/988. Forbids words for a withdrawal from the market. */
const RECALL: Readonly<Record<string, Term>> = {
  bg: { term: /изземв/, never: /изтегл/ },
  cs: { term: /staž\S+ z oběhu/, never: /z trhu/ },
  da: { term: /tilbagekald/, never: /trukket tilbage/ },
  de: { term: /rückruf|zurückgerufen/, never: /rücknahme|zurückgenommen|vom markt/ },
  el: { term: /ανακλή?[θη]|ανάκλ/, never: /απ[οό]σ[υύ]ρ/ },
  en: { term: /recall/, never: /withdr/ },
  es: { term: /recuperación/, never: /retirad/ },
  et: { term: /tagasi ?kuts/, never: /kõrvalda/ },
  fi: { term: /kutsut.* takaisin|takaisinkuts/, never: /markkinoilta/ },
  fr: { term: /rappel/, never: /retir|retrait/ },
  ga: { term: /aisghair/, never: /baineadh|tarraing/ },
  hr: { term: /opoz[vi]/, never: /povuč|povlač/ },
  hu: { term: /visszahív/, never: /kivon/ },
  is: { term: /innk[aö]ll/, never: /afturkal|tekin af/ },
  it: { term: /richiam/, never: /ritir/ },
  lt: { term: /atšauk/, never: /pašalin/ },
  lv: { term: /atsauk/, never: /izņem/ },
  mt: { term: /msejjaħ lura|sejħa lura/, never: /irtira|tneħħ/ },
  nl: { term: /terugroep|teruggeroepen/, never: /uit de handel/ },
  no: { term: /tilbakekal/, never: /trukket/ },
  pl: { term: /odzysk/, never: /wycof/ },
  pt: { term: /recol(h|t)/, never: /retirad/ },
  ro: { term: /rechem/, never: /retra[sg]/ },
  sk: { term: /spätn\S+ prevzat/, never: /stiah|sťah/ },
  sl: { term: /odpokli/, never: /umak/ },
  sv: { term: /återkall/, never: /dragits tillbaka/ },
  tr: { term: /geri çağ/, never: /piyasadan/ },
  uk: { term: /відклик/, never: /вилуч/ },
}

const texts = (folder: string, language: string) =>
  new Map(flatten(JSON.parse(readFileSync(join(ROOT, folder, `${language}.json`), 'utf8'))))

function* flatten(node: object, path = ''): Iterable<[string, string]> {
  for (const [key, text] of Object.entries(node)) {
    if (typeof text === 'string') yield [path + key, text.toLowerCase()]
    else yield* flatten(text, `${path}${key}.`)
  }
}

/** Keys about time stamps, which many languages name like a rubber stamp. */
const TIME_STAMP_KEYS = /^(seal\.sealed\.stamped|seal\.names\.timeAuthority|verify\.row\.timestamp)$/
const SEAL_KEYS =
  /^(section\.authenticity|documents\.inSeal|seal\.(sealed|unsealed)\.title|verify\.unsealed|item\.unsealed|technical\.seal)$/
const RECALL_KEYS = /^(recall\.\w+|saved\.text|status\.recalled\.title|(technical|unit|item)\.statuses\.RECALLED)$/
const WITHDRAWAL_KEY = 'status.decommissioned.text'

describe.each(LANGUAGES)('review-3-users S7: one term for one concept: %s', (language) => {
  const own = FOLDERS.flatMap((folder) => [...texts(folder, language)])
  const failing = (isWrong: (key: string, text: string) => boolean) =>
    own.filter(([key, text]) => isWrong(key, text)).map(([key, text]) => `${key}: ${text}`)

  test('seal', () => {
    const { term, never } = SEAL[language] as Term
    expect(failing((key, text) => !TIME_STAMP_KEYS.test(key) && never.test(text))).toEqual([])
    expect(failing((key, text) => SEAL_KEYS.test(key) && !term.test(text))).toEqual([])
  })

  test('recall, and not withdrawal', () => {
    const { term, never } = RECALL[language] as Term
    expect(failing((key, text) => RECALL_KEYS.test(key) && (never.test(text) || !term.test(text)))).toEqual([])
    expect(failing((key, text) => key === WITHDRAWAL_KEY && term.test(text))).toEqual([])
  })
})
