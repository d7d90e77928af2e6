interface Sharing {
  readonly tenantId: string
  /** True for the holder of the claimed GS1 company prefix. */
  readonly isClaimed: boolean
  readonly isSealed: boolean
}

/**
 * Returns the passports to serve: those of the claimed prefix's holder; else the only sealed one; else all. An unsealed newcomer never
 * changes the target of a sealed product's printed code.
 */
export function selectServed<T extends Sharing>(candidates: readonly T[]): readonly T[] {
  const claimed = candidates.filter(({ isClaimed }) => isClaimed)
  if (claimed.length > 0) return claimed
  const sealed = candidates.filter(({ isSealed }) => isSealed)
  return sealed.length === 1 ? sealed : candidates
}

export const isOneWorkspace = (candidates: readonly Sharing[]): boolean =>
  candidates.every(({ tenantId }) => tenantId === candidates[0]?.tenantId)
