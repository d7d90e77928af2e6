/** A passport at an address that passports of several workspaces may share. */
interface Sharing {
  readonly tenantId: string
  /** It comes from the holder of the claimed GS1 company prefix. */
  readonly isClaimed: boolean
  readonly isSealed: boolean
}

/**
 * The passports that answer at a shared address, in their order: those of the holder of the claimed prefix; else the only sealed
 * one; else all, which is a choice. The same for products, batches, serials and units. So an unsealed newcomer never changes what
 * the printed code of a sealed product leads to.
 */
export function whoAnswers<T extends Sharing>(candidates: readonly T[]): readonly T[] {
  const claimed = candidates.filter(({ isClaimed }) => isClaimed)
  if (claimed.length > 0) return claimed
  const sealed = candidates.filter(({ isSealed }) => isSealed)
  return sealed.length === 1 ? sealed : candidates
}

/** True if all are of one workspace, which then says itself which of them has a batch or a serial. */
export const isOneWorkspace = (candidates: readonly Sharing[]): boolean =>
  candidates.every(({ tenantId }) => tenantId === candidates[0]?.tenantId)
