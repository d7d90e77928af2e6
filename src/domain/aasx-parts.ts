/** IDTA-01005. */
const RELATIONSHIPS = 'http://admin-shell.io/aasx/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const ORIGIN = 'aasx/aasx-origin'

type Parts = Readonly<Record<string, string>>

/** Constant parts of an AASX package (Open Packaging Conventions, ISO/IEC 29500-2). */
export const AASX_HEAD: Parts = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="json" ContentType="application/json"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${ORIGIN}" ContentType="text/plain"/></Types>`,
  '_rels/.rels': relationships('aasx-origin', [ORIGIN]),
  [ORIGIN]: 'Intentionally empty.',
}

export const aasxOrigin = (environments: readonly string[]): Parts => ({
  'aasx/_rels/aasx-origin.rels': relationships('aas-spec', environments),
})

function relationships(type: string, targets: readonly string[]): string {
  const each = targets.map(
    (target, index) => `<Relationship Id="R${index + 1}" Type="${RELATIONSHIPS}/${type}" Target="/${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`
}
