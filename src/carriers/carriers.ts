import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import { codedUnit } from '../units/coded-units.ts'
import { type CarrierContent, fileNameOf, passportContent, unitContent } from './content.ts'
import { ERROR_CORRECTIONS, encoderOf, modulesAcross, SYMBOLOGIES } from './matrix.ts'
import { drawPng } from './png.ts'
import { drawSvg } from './svg.ts'

interface CarrierQuery {
  readonly format?: string
  readonly size?: string
  readonly ecl?: string
  readonly hri?: string
  readonly symbology?: string
  readonly caption?: string
}

interface CarrierFile {
  readonly body: string | Uint8Array
  readonly contentType: string
  readonly headers: { readonly 'Content-Disposition': string }
}

/** Limits of the picture width (specification 4.5). */
const LEAST_PIXELS = 128
const MAX_PIXELS = 2048
const USUAL_PIXELS = 1024

export const pixelsOf = (size: number = USUAL_PIXELS): number =>
  Math.min(MAX_PIXELS, Math.max(LEAST_PIXELS, Math.trunc(size)))

declare module '../cradle.ts' {
  interface Cradle {
    carriers: ReturnType<typeof carriers>
  }
}

/** Specification 4.5. */
export default function carriers({ config: { baseUrl }, database, passports, translator }: Cradle) {
  return { encodePassport, encodeUnit }

  /** @throws Problem 400, 403, 404 */
  async function encodePassport(
    principal: Principal,
    idOrProduct: string,
    query: CarrierQuery,
    lang: string,
  ): Promise<CarrierFile> {
    const options = inWords(optionsOf(query), lang)
    const passport = await passports.find(principal, idOrProduct, 'bound')
    return fileOf(passportContent(baseUrl, passport), passport.productId, options)
  }

  /** @throws Problem 400, 403, 404 */
  async function encodeUnit(principal: Principal, id: string, query: CarrierQuery, lang: string): Promise<CarrierFile> {
    const options = inWords(optionsOf(query), lang)
    const unit = isUuid(id)
      ? await codedUnit(database.forTenant(principal.tenantId), principal.tenantId, id)
      : undefined
    if (unit === undefined) throw notFound('Battery unit not found in your workspace.')
    assertOperatorScope(principal, unit.operatorId)
    return fileOf(unitContent(baseUrl, unit), unit.serialNumber, options)
  }

  function inWords({ isInviting, ...options }: CarrierOptions, lang: string) {
    return { ...options, caption: isInviting ? translator.text(lang, 'carrier.caption') : undefined }
  }
}

type CarrierOptions = ReturnType<typeof optionsOf>

/** @throws Problem 400 */
function optionsOf({
  format = 'png',
  size,
  ecl = 'Q',
  hri = 'false',
  symbology = 'qr',
  caption = 'false',
}: CarrierQuery) {
  return {
    format: oneOf(['png', 'svg'], format.toLowerCase(), 'format must be png or svg'),
    size: pixelsOf(size === undefined ? undefined : numberOf(size)),
    errorCorrection: oneOf(ERROR_CORRECTIONS, ecl.toUpperCase(), 'ecl must be M, Q or H'),
    isReadable: oneOf(['true', 'false'], hri.toLowerCase(), 'hri must be true or false') === 'true',
    isInviting: oneOf(['true', 'false'], caption.toLowerCase(), 'caption must be true or false') === 'true',
    symbology: oneOf(SYMBOLOGIES, symbology.toLowerCase(), 'symbology must be qr or datamatrix'),
  }
}

function oneOf<T extends string>(values: readonly T[], value: string, message: string): T {
  const found = values.find((each) => each === value)
  if (found === undefined) throw badRequest(message)
  return found
}

const NUMBER = /^[+-]?[0-9]{1,15}(?:\.[0-9]{0,15})?$/

function numberOf(text: string): number {
  if (!NUMBER.test(text)) throw badRequest('size must be a number')
  return Number(text)
}

function fileOf(
  content: CarrierContent,
  key: string,
  {
    format,
    size,
    errorCorrection,
    isReadable,
    symbology,
    caption,
  }: Omit<CarrierOptions, 'isInviting'> & { readonly caption: string | undefined },
): CarrierFile {
  const matrix = encoderOf(symbology, errorCorrection)(content)
  if (matrix === undefined) {
    throw badRequest('A GS1 DataMatrix needs GS1 keys: a GTIN or GRAI as product id, and a GTIN for a unit.', 'NOT_GS1')
  }
  const headers = { 'Content-Disposition': `attachment; filename="${fileNameOf(key)}.${format}"` }
  if (format === 'svg') {
    return { body: drawSvg(matrix, content, { size, isReadable, caption }), contentType: 'image/svg+xml', headers }
  }
  const body = drawPng(matrix, size)
  if (body === undefined) throw badRequest(`This code needs at least ${modulesAcross(matrix)} pixels.`)
  return { body, contentType: 'image/png', headers }
}
