import { randomUUID } from 'node:crypto'
import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { encodeSegment } from '../../../../src/plugin/module.ts'
import { type Check, joined, needed, shown, unless } from '../check.ts'
import { apiOf, byId, productPath } from '../en18222.ts'
import type { Probe } from '../probe.ts'
import { type Reply, statusOf, typeOf } from '../reply.ts'

const RESULT = 'EN 18222, 7.2, Tables 12 to 14'
const CODES = 'EN 18222, 7.2, Table 15'
const MESSAGE_TYPES = ['Info', 'Warning', 'Error', 'Exception']
const UNKNOWN = `https://unknown.example/passport/${randomUUID()}`

const unknownPassport = (probe: Probe): Promise<Reply> => probe.get(`${apiOf(probe)}/dpps/${encodeSegment(UNKNOWN)}`)

/** Messages under the standard's name, or the name that some implementations use. */
function messagesOf(reply: Reply): unknown[] {
  const { message, messages } = reply.record()
  const list = [message, messages].find((value) => Array.isArray(value))
  return needed(list as unknown[] | undefined, 'the error has no list of messages, which another check reports')
}

const messageRule = (name: string, title: string, rule: (message: JsonRecord) => string[], should?: true): Check => ({
  id: `en18222-errors.${name}`,
  clause: RESULT,
  title,
  ...(should && { should }),
  async run(probe) {
    const messages = messagesOf(await unknownPassport(probe))
    return joined(
      messages.flatMap((message) => (isRecord(message) ? rule(message) : [`${shown(message)} is not an object`])),
    )
  },
})

const malformed = (name: string, segment: string, title: string): Check => ({
  id: `en18222-errors.${name}`,
  clause: CODES,
  title,
  run: async (probe) => statusOf(await probe.get(`${apiOf(probe)}/dpps/${segment}`), 400, 404),
})

export const ERROR_CHECKS: readonly Check[] = [
  {
    id: 'en18222-errors.unknown-passport',
    clause: CODES,
    title: 'An unknown passport is not found',
    run: async (probe) => statusOf(await unknownPassport(probe), 404),
  },
  {
    id: 'en18222-errors.unknown-product',
    clause: CODES,
    title: 'A passport of an unknown product is not found',
    run: async (probe) => statusOf(await probe.get(productPath(apiOf(probe), UNKNOWN)), 404),
  },
  {
    id: 'en18222-errors.json',
    clause: 'EN 18216, 5; EN 18222, 7.2',
    title: 'An error is JSON',
    run: async (probe) => typeOf(await unknownPassport(probe), 'application/json', 'application/problem+json'),
  },
  {
    id: 'en18222-errors.message',
    clause: RESULT,
    title: 'An error has a list named message',
    should: true,
    async run(probe) {
      const { message } = (await unknownPassport(probe)).record()
      return unless(Array.isArray(message) && message.length > 0, `message is ${shown(message)}.`)
    },
  },
  messageRule('text', 'Every message has a text', ({ text }) =>
    typeof text === 'string' && text !== '' ? [] : [`text is ${shown(text)}`],
  ),
  messageRule('message-type', `Every messageType is ${MESSAGE_TYPES.join(', ')}`, ({ messageType }) =>
    MESSAGE_TYPES.includes(String(messageType)) ? [] : [`messageType is ${shown(messageType)}`],
  ),
  messageRule(
    'timestamp',
    'A timestamp of a message is a time',
    ({ timestamp }) =>
      timestamp === undefined || !Number.isNaN(Date.parse(String(timestamp)))
        ? []
        : [`timestamp is ${shown(timestamp)}`],
    true,
  ),
  {
    id: 'en18222-errors.status-code',
    clause: CODES,
    title: 'statusCode names the status',
    async run(probe) {
      const { statusCode } = (await unknownPassport(probe)).record()
      needed(statusCode, 'the error has no statusCode')
      return unless(statusCode === 'ClientErrorResourceNotFound', `statusCode is ${shown(statusCode)}.`)
    },
  },
  {
    id: 'en18222-errors.no-details',
    clause: 'EN 18239, 4.2; CWE-209',
    title: 'An error shows no source code',
    async run(probe) {
      const { text } = await unknownPassport(probe)
      const isLeaking =
        /(?:\n|\\n) {1,8}at \S{1,100} \(|Traceback \(most recent|java\.lang\.|\bat [\w.]{1,100}\([\w.]{1,100}:\d|node_modules\//.test(
          text,
        )
      return unless(!isLeaking, 'The body has a stack trace.')
    },
  },
  malformed('broken-escape', '%zz', 'A broken escape is a client error'),
  malformed('broken-utf-8', '%C3%28', 'Broken UTF-8 is a client error'),
  malformed('null-byte', '%00', 'A null byte is a client error'),
  malformed('long-identifier', 'a'.repeat(3000), 'A long identifier is a client error'),
  {
    id: 'en18222-errors.not-cached',
    clause: 'RFC 9111, 4.2.2',
    title: 'An unknown passport is not stored by caches for long',
    should: true,
    async run(probe) {
      const caching = (await unknownPassport(probe)).header('cache-control')
      const [, seconds] = /max-age=(\d+)/.exec(caching) ?? []
      return unless(seconds === undefined || Number(seconds) <= 300, `Cache-Control is ${shown(caching)}.`)
    },
  },
  {
    id: 'en18222-errors.unknown-operation',
    clause: CODES,
    title: 'An unknown address below a passport is not found',
    run: async (probe) => statusOf(await probe.get(byId(probe, '/no-such-operation')), 404, 400, 501),
  },
]
