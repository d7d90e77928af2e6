import { judgingCapture } from '../../plugins/modules/traceability/epcis/capture.ts'
import type { CaptureValidation } from '../../plugins/modules/traceability/epcis/event.ts'

/** Result of a capture, without yielding. */
export function judgeCapture(...asked: Parameters<typeof judgingCapture>): CaptureValidation {
  const steps = judgingCapture(...asked)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
