import { isRecord, type JsonRecord, Problem } from '../../../src/plugin/index.ts'
import { examineDataIntegrity, isSecured, isUuid, type ModuleCradle } from '../../../src/plugin/module.ts'

type Deps = Pick<ModuleCradle, 'config' | 'issuers'>

/** Returns the issuer of a verified credential. @throws Problem 400 unless a key of this gateway made the proof */
export async function issuerOf(deps: Deps, credential: JsonRecord, now: Date): Promise<string> {
  const examined = await examineDataIntegrity(credential, {
    documents: { read: (url) => readOwnDocument(deps, url) },
    contexts: new Map(),
    now,
  })
  const wrong = examined.checks.find(({ name, ok }) => ok !== true && name !== 'content')
  if (!isSecured(examined) || wrong !== undefined) {
    throw new Problem(400, `The proof is invalid. ${wrong?.detail ?? ''}`.trim(), {
      title: 'Cryptographic Verification Failed',
    })
  }
  const { issuer } = credential
  return isRecord(issuer) ? String(issuer.id) : String(issuer)
}

/** Resolves only keys of this gateway: submitted events cause no outbound requests. */
async function readOwnDocument({ config, issuers }: Deps, url: string): Promise<string> {
  const [, id] = url.slice(config.baseUrl.length).match(/^\/tenants\/([^/]+)\/did\.json$/) ?? []
  if (!url.startsWith(config.baseUrl) || id === undefined || !isUuid(id)) {
    throw new Error('The issuer is not a workspace of this gateway. Only its keys are supported.')
  }
  return (await issuers.didDocument(id)).body.toString()
}
