import { randomBytes } from 'node:crypto'
import { sealTree } from '../../src/domain/merkle.ts'
import type { Metadata } from '../../src/domain/metadata.ts'
import { sealSubject } from '../../src/domain/seal.ts'
import type { PassportRow } from '../../src/passports/passport-columns.ts'

/** A sealed passport with a facility and a fake signature. */
export function passport(metadata: Metadata, more: Partial<PassportRow> = {}): PassportRow {
  const about = {
    id: '3f0c6a52-0000-4000-8000-000000000001',
    productId: '09506000134352',
    operator: {
      id: '3f0c6a52-0000-4000-8000-000000000003',
      name: 'Mühle 1',
      regId: 'DE1',
      role: 'MANUFACTURER',
      contact: null,
    },
  }
  // Every value is maskable: the public sees the others.
  const subject = sealSubject(about, '2026-11-21T17:00:00.000Z', Object.keys(metadata))
  const tree = sealTree(metadata, subject, randomBytes)
  return {
    ...about,
    tenantId: '3f0c6a52-0000-4000-8000-000000000002',
    operatorId: about.operator.id,
    status: 'ACTIVE',
    metadata,
    enrichment: null,
    recall: null,
    journey: null,
    parts: {},
    version: 1,
    archivedAt: null,
    retentionUntil: null,
    createdAt: '2026-11-21T17:00:00.000Z',
    updatedAt: '2026-11-21T17:00:00.000Z',
    facility: {
      id: '3f0c6a52-0000-4000-8000-000000000004',
      gln: '4012345000009',
      name: 'Works 1',
      activity: null,
      country: 'DE',
      streetAddress: 'Street 1',
      city: 'Köln',
      postalCode: '50667',
    },
    seal: {
      merkleRoot: tree.root,
      signature: 'MEQCIBX5bQyEj1PNFX8lBp3DJQ6VR63ec9tExtB7b5nl04O5',
      publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----',
      leaves: tree.leaves,
      createdAt: subject.created,
      x5c: null,
      rfc3161: null,
      subject,
    },
    ...more,
  }
}
