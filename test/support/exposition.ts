import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import type { TestGateway } from './gateway.ts'

/** A metric as a foreign parser reads it; it omits the labels of histograms. */
interface Metric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly metrics: readonly { readonly labels?: Readonly<Record<string, string>> }[]
}

type Scraped = Pick<TestGateway, 'metricsOrigin'>

export async function scrapedText({ metricsOrigin }: Scraped): Promise<string> {
  return (await fetch(`${metricsOrigin}/metrics`)).text()
}

/** Metrics parsed by a foreign library. */
export async function scrape(gateway: Scraped): Promise<readonly Metric[]> {
  return parsePrometheusTextFormat(await scrapedText(gateway))
}

/** Value of a sample; undefined if no sample has these labels. */
export async function sampleOf(
  gateway: Scraped,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const expected = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const lines = (await scrapedText(gateway)).split('\n')
  const found = lines.find(
    (line) => line.split(/[{ ]/, 1)[0] === name && expected.every((label) => line.includes(label)),
  )
  return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')))
}
