/** What the REST bindings of EPCIS 2.0 (12.3) say of themselves with every answer. */
export const EPCIS_HEADERS = {
  'GS1-EPCIS-Version': '2.0.0',
  'GS1-EPCIS-Min': '2.0.0',
  'GS1-EPCIS-Max': '2.0.0',
  'GS1-CBV-Version': '2.0.0',
  'GS1-EPC-Format': 'Never_Translates',
}

/** The header that leads to the next page, where there is one: the same question with its token. */
export function nextPage(target: string, token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  const [path = '', asked = ''] = target.split('?')
  const query = new URLSearchParams(asked)
  query.set('nextPageToken', token)
  return { Link: `<${path}?${query}>; rel="next"` }
}
