import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import type { CaptureFinding } from './event.ts'
import type { Sent, SentEvent } from './sent.ts'
import { type Converted, fromUntp, OWN_CONTEXT } from './untp.ts'

export const EPCIS_CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'

/** Accepts UNTP 0.6 credentials and those of the interoperability kit (with `eventType`). Does not verify the proof. */
export function eventsOfCredential(credential: JsonRecord, now: Date): Sent {
  const { credentialSubject } = credential
  const isList = Array.isArray(credentialSubject)
  const findings: CaptureFinding[] = []
  const events = [credentialSubject].flat().map((subject, index): SentEvent => {
    const at = isList ? `/credentialSubject/${index}` : '/credentialSubject'
    if (!isRecord(subject)) return { event: subject, pointer: (inEvent) => `${at}${inEvent}` }
    const isKit = subject.eventType !== undefined
    if (isKit && subject.eventType === 'TransformationEvent' && (subject.action ?? null) !== null) {
      findings.push({ pointer: `${at}/action`, code: 'ACTION_ON_TRANSFORMATION', message: NO_ACTION })
    }
    const { event, places } = isKit ? fromKit(subject, credential, now) : fromUntp(subject)
    return { event, pointer: (inEvent) => at + sentPointer(inEvent, places) }
  })
  return { events, context: [EPCIS_CONTEXT, OWN_CONTEXT], findings }
}

const NO_ACTION = 'A TransformationEvent has no action. Remove it.'

function fromKit(subject: JsonRecord, credential: JsonRecord, now: Date): Converted {
  const { id, eventType, epcList, originLocation, ...rest } = subject
  const origin = isRecord(originLocation) ? originLocation : {}
  const { latitude, longitude } = origin
  const isLocated = typeof latitude === 'number' && typeof longitude === 'number'
  const isObject = eventType === 'ObjectEvent'
  const { event, places } = fromUntp({
    ...rest,
    type: eventType,
    eventTime: rest.eventTime ?? credential.issuanceDate ?? credential.validFrom ?? now.toISOString(),
    bizStep: rest.bizStep ?? 'receiving',
    disposition: rest.disposition ?? 'in_progress',
    readPoint: rest.readPoint ?? (isLocated ? `geo:${latitude},${longitude}` : undefined),
    bizLocation: rest.bizLocation ?? rest.responsibleOperatorDid ?? credential.responsibleOperatorDid,
    epcList: Array.isArray(epcList) ? epcList : isObject ? [id].filter((one) => one !== undefined) : undefined,
    originLocation,
  })
  return { event, places: new Map([...places, ['/type', '/eventType']]) }
}

function sentPointer(pointer: string, places: Converted['places']): string {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const place = places.get(pointer.slice(0, end))
    if (place !== undefined) return place + pointer.slice(end)
  }
  return pointer
}
