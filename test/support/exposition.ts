import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import type { TestGateway } from './gateway.ts'

/** A metric as somebody else's parser reads it; of histograms it leaves the labels out. */
interface Metric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly metrics: readonly { readonly labels?: Readonly<Record<string, string>> }[]
}

type Scraped = Pick<TestGateway, 'metricsOrigin'>

/** What is scraped now. */
export async function scrapedText({ metricsOrigin }: Scraped): Promise<string> {
  return (await fetch(`${metricsOrigin}/metrics`)).text()
}

/** The same, read by somebody else. */
export async function scrape(gateway: Scraped): Promise<readonly Metric[]> {
  return parsePrometheusTextFormat(await scrapedText(gateway))
}

/** The value of a sample; undefined where there is none with these labels. */
export async function sampleOf(
  gateway: Scraped,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const lines = (await scrapedText(gateway)).split('\n')
  const found = lines.find((line) => line.split(/[{ ]/, 1)[0] === name && wanted.every((label) => line.includes(label)))
  return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')))
}
