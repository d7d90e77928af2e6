import { contextLoader, issuersContexts, UnknownContext, untpContexts } from './contexts.ts'
import { credentialFindings, type Finding, isObject, issuerOf, listOf, validityAt } from './credential-content.ts'
import type { VerifyOptions } from './documents.ts'
import { failed, open, passed } from './outcome.ts'
import type { Check } from './verification.ts'

/** What a credential says: data model, time, meaning of its terms, and its schema. */
export async function contentChecks(
  credential: Readonly<Record<string, unknown>>,
  options: VerifyOptions,
): Promise<Check[]> {
  const findings = [...credentialFindings(credential), ...validityAt(credential, options.now)]
  const content = findings.length > 0 ? failed('content', textOf(findings)) : await expansionCheck(credential, options)
  return [content, ...(await schemaChecks(credential, options))]
}

/**
 * Expands in safe mode, where a term without a meaning is an error: JCS and JOSE sign such terms without a word. An
 * unknown context is refused; only for UNTP's, which may not be shipped, it is said instead that nobody has looked.
 */
async function expansionCheck(
  credential: Readonly<Record<string, unknown>>,
  { documents, contexts = new Map() }: VerifyOptions,
): Promise<Check> {
  const { default: jsonld } = await import('jsonld')
  const own = issuersContexts(listOf(credential['@context']), issuerOf(credential))
  try {
    const documentLoader = await contextLoader(new Map([...contexts, ...own, ...(await untpContexts(documents))]))
    await jsonld.expand(credential, { safe: true, documentLoader })
    return passed('content', 'A well-formed credential, and every term has a meaning.')
  } catch (error) {
    const unknown = causeOf(error, UnknownContext)
    return unknown?.isOfUntp
      ? passed('content', `A well-formed credential. The meaning of its terms was not checked: ${unknown.message}`)
      : failed('content', (unknown ?? (error as Error)).message)
  }
}

async function schemaChecks(
  { credentialSchema, ...rest }: Readonly<Record<string, unknown>>,
  { documents }: VerifyOptions,
): Promise<Check[]> {
  const checks: Check[] = []
  for (const entry of listOf(credentialSchema)) {
    if (!isObject(entry) || entry.type !== 'JsonSchema') continue
    const url = String(entry.id)
    const text = await documents.read(url, 'application/schema+json, application/json').catch((error: Error) => error)
    checks.push(
      text instanceof Error
        ? open('schema', `Not checked: ${text.message}`)
        : await schemaCheck(url, text, { ...rest, credentialSchema }),
    )
  }
  return checks
}

async function schemaCheck(url: string, text: string, credential: object): Promise<Check> {
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  try {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const { $id: _id, ...schema } = JSON.parse(text)
    const validate = ajv.compile(schema)
    return validate(credential) ? passed('schema', url) : failed('schema', `${url}: ${ajv.errorsText(validate.errors)}`)
  } catch (error) {
    return open('schema', `${url} cannot be used: ${(error as Error).message}`)
  }
}

const textOf = (findings: readonly Finding[]) =>
  findings.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')

/** The error of this kind that is behind another, however deep. */
function causeOf<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | undefined {
  for (let at = error; at instanceof Error; at = at.cause ?? (at as { details?: { cause?: unknown } }).details?.cause) {
    if (at instanceof kind) return at
  }
  return undefined
}
