import { parentPort } from 'node:worker_threads'
import { loadGraphene } from './graphene.ts'
import { Token } from './token.ts'

// PKCS #11 calls are blocking (§5.1), so they run one by one in this thread.

export interface TokenCall {
  readonly id: number
  readonly token: number
  readonly name: 'open' | 'createKey' | 'publicJwk' | 'sign' | 'close'
  readonly values: readonly unknown[]
}

export type TokenAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly message: string; readonly cause: string | undefined }
)

const tokens = new Map<number, Token>()
const graphene = loadGraphene()

parentPort?.on('message', async (call: TokenCall) => {
  const { id } = call
  const answer = await answerTo(call).then(
    (value) => ({ id, value }),
    ({ message, cause }: Error) => ({ id, message, cause: cause === undefined ? undefined : String(cause) }),
  )
  parentPort?.postMessage(answer satisfies TokenAnswer)
})

async function answerTo({ token: number, name, values }: TokenCall): Promise<unknown> {
  if (name === 'open') {
    const [library, label, pin] = values as [string, string, string]
    const opened = new Token(await graphene, library, label, pin)
    opened.connect()
    tokens.set(number, opened)
    return undefined
  }
  const token = tokens.get(number)
  if (token === undefined) throw new Error('The signer "pkcs11" is closed.')
  if (name === 'close') tokens.delete(number)
  if (name === 'createKey') return token.createKey(values[0] as string)
  if (name === 'publicJwk') return token.publicJwk(values[0] as string)
  if (name === 'sign') return token.sign(values[0] as string, values[1] as Uint8Array)
  return token.close()
}
