export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'wrong' | 'skipped'
  readonly message: string
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message })
export const warning = (check: string, message: string): Finding => ({ check, state: 'warning', message })
export const wrong = (check: string, message: string): Finding => ({ check, state: 'wrong', message })
export const skipped = (check: string, message: string): Finding => ({ check, state: 'skipped', message })

export const messageOf = (error: unknown) =>
  error instanceof Error && error.message !== '' ? error.message : String(error)
