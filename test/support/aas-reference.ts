import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { standard } from './reference-tools.ts'

/** True if the official schemas are absent; they are not part of the repository. */
export const isReferenceMissing = standard('aas/schema') === undefined

export const aasStandard = (path: string): unknown => JSON.parse(readFileSync(standard(`aas/${path}`) ?? '', 'utf8'))

// The package's ES module build has imports without extensions, which Node does not load.
const core = createRequire(import.meta.url)('@aas-core-works/aas-core3.0-typescript')

/** Errors by the official JSON Schemas of three versions and the independent verifier of version 3.0. */
export const aasReferenceErrors = (): ((environment: unknown) => string[]) => {
  validator ??= compileValidator()
  return validator
}

let validator: ((environment: unknown) => string[]) | undefined

function compileValidator(): (environment: unknown) => string[] {
  // The patterns contain UTF-16 surrogates.
  const ajv = new Ajv2019({ strict: false, unicodeRegExp: false, allErrors: false })
  const schemas = ['3.0.9', '3.1.2', '3.2.0'].map((version) => {
    const validate = ajv.compile(aasStandard(`schema/aas-${version}.json`) as object)
    return { version, validate }
  })
  return (environment) => {
    const findings: string[] = []
    for (const { version, validate } of schemas) {
      if (!validate(environment)) findings.push(`${version}: ${ajv.errorsText(validate.errors)}`)
    }
    const read = core.jsonization.environmentFromJsonable(environment)
    if (read.error !== null) return [...findings, `core: ${read.error.path} ${read.error.message}`]
    for (const error of core.verification.verify(read.mustValue())) {
      findings.push(`core: ${error.path} ${error.message}`)
    }
    return findings
  }
}
