/** EPCIS 2.0, 12.3. */
export const EPCIS_HEADERS = {
  'GS1-EPCIS-Version': '2.0.0',
  'GS1-EPCIS-Min': '2.0.0',
  'GS1-EPCIS-Max': '2.0.0',
  'GS1-CBV-Version': '2.0.0',
  'GS1-EPC-Format': 'Never_Translates',
}

export function nextPage(target: string, token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  const [path = '', queryText = ''] = target.split('?')
  const query = new URLSearchParams(queryText)
  query.set('nextPageToken', token)
  return { Link: `<${path}?${query}>; rel="next"` }
}
