import { type Contract, nodeOf, type OperationFacts, requiredQuery } from './contract.ts'
import { curlOf } from './curl.ts'
import { follow, type Node } from './document.ts'

export function operationCommand({ document }: Contract, operation: OperationFacts): string {
  const { operationId, method, path, bodyType } = operation
  const { requestBody, responses } = nodeOf(document, operation)
  const media = bodyType === undefined ? undefined : follow(document, requestBody).content[bodyType]
  const good = Object.entries<Node>(responses).find(([status]) => status.startsWith('2'))?.[1]
  return curlOf({
    method,
    path,
    query: requiredQuery(document, operation),
    needsCredential: !operation.isPublic,
    ...(bodyType === undefined ? {} : { body: { mediaType: bodyType, example: media.examples?.[operationId]?.value } }),
    answers: Object.keys(good === undefined ? {} : (follow(document, good).content ?? {})),
  })
}
