import { validateCaptureSteps } from '../../plugins/modules/traceability/epcis/capture.ts'
import type { CaptureValidation } from '../../plugins/modules/traceability/epcis/event.ts'

/** Result of a capture, without yielding. */
export function validateCapture(...parameters: Parameters<typeof validateCaptureSteps>): CaptureValidation {
  const steps = validateCaptureSteps(...parameters)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
