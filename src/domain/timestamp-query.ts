import { fromBER, Integer, Null, OctetString, Sequence } from 'asn1js'
import { AlgorithmIdentifier, MessageImprint, TimeStampReq } from 'pkijs'

/** Builds a TimeStampReq (RFC 3161 §2.4.1), DER. Changes the first bits of the nonce, so that it is a positive number. */
export function timestampQuery(algorithmId: string, digest: Uint8Array, nonce: Buffer): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(nonce)
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40 // positive, without leading zeros
  nonce.set(bytes)
  const query = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: Uint8Array.from(digest).buffer }),
    }),
    nonce: new Integer({ valueHex: bytes.buffer }),
    certReq: true,
  })
  return new Uint8Array(query.toSchema().toBER())
}

/** Returns the token of a TimeStampResp (RFC 3161 §2.4.2) in its original bytes. */
export function tokenOf(answer: Buffer): Buffer {
  const { offset, result } = fromBER(Uint8Array.from(answer).buffer)
  const [info, token] = result instanceof Sequence ? result.valueBlock.value : []
  const [status] = info instanceof Sequence ? info.valueBlock.value : []
  if (offset !== answer.length || !(status instanceof Integer))
    throw new Error('The response is not a timestamp reply.')
  const code = status.valueBlock.valueDec
  // granted and grantedWithMods; both are verified against the query.
  if ((code !== 0 && code !== 1) || token === undefined) throw new Error(`No timestamp was granted: status ${code}.`)
  return Buffer.from(token.valueBeforeDecodeView)
}
