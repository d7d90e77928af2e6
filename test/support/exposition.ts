import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import type { TestGateway } from './gateway.ts'

interface Sample {
  readonly value?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Of histograms. */
  readonly buckets?: Readonly<Record<string, string>>
  readonly count?: string
  readonly sum?: string
}

/** A metric as somebody else's parser reads it. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly metrics: readonly Sample[]
}

/** What is scraped now. */
export async function scrape(gateway: Pick<TestGateway, 'metricsOrigin'>): Promise<readonly Metric[]> {
  return parsePrometheusTextFormat(await (await fetch(`${gateway.metricsOrigin}/metrics`)).text())
}

/** The value of a sample, or the count of a histogram's; undefined where there is none with these labels. */
export async function valueOf(
  gateway: Pick<TestGateway, 'metricsOrigin'>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const metric = (await scrape(gateway)).find((one) => one.name === name)
  const sample = metric?.metrics.find((one) =>
    Object.entries(labels).every(([label, value]) => one.labels?.[label] === value),
  )
  const value = sample?.value ?? sample?.count
  return value === undefined ? undefined : Number(value)
}
