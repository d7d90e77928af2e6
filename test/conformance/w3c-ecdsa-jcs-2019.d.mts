export function jcs(value: unknown): string
export function fromMultibase(text: string): Buffer
export function steps(
  secured: object,
  hash?: string,
): {
  proofConfig: string
  document: string
  proofHash: Buffer
  documentHash: Buffer
  hashData: Buffer
  proofValue: string
}
export function verifies(secured: object, lookUp: (verificationMethod: string) => Promise<string>): Promise<boolean>
