import {
  type Credential,
  type RepresentationPlugin,
  type SigningContext,
  signDataIntegrity,
  signVcJwt,
  yieldTurn,
} from '../../../src/plugin/index.ts'
import { signSdJwtVc } from './sd-jwt-vc.ts'
import { productPassportCredential, UNTP_PROFILES, unitCredential } from './untp.ts'

// A credential of large metadata takes as long to make as to sign, and as to write: each has its turn.

async function vcJwt(making: Promise<Credential>, { signing: { issuer } }: SigningContext): Promise<string> {
  const credential = await making
  await yieldTurn()
  return signVcJwt(credential, issuer)
}

async function dataIntegrity(making: Promise<Credential>, { signing: { issuer } }: SigningContext): Promise<string> {
  const credential = await making
  await yieldTurn()
  const signed = await signDataIntegrity(credential, issuer)
  await yieldTurn()
  return JSON.stringify(signed)
}

async function sdJwtVc(
  making: Promise<Credential>,
  { signing: { issuer, statusPlace } }: SigningContext,
  baseUrl: string,
): Promise<string> {
  const credential = await making
  const { list } = await statusPlace()
  await yieldTurn()
  return signSdJwtVc(credential, { issuer, list, baseUrl })
}

/** The UNTP Digital Product Passport in the three forms that verifiers ask for. */
export default [
  {
    kind: 'representation',
    // In a JWT, the form that UNTP itself asks for.
    name: 'untp-vc-jwt',
    extension: 'vc.jwt',
    mediaTypes: ['application/vc+jwt'],
    rank: 2,
    profiles: UNTP_PROFILES,
    isSigned: true,
    isPublicOnly: true,
    render: async (view, context) => ({ body: await vcJwt(productPassportCredential(view, context), context) }),
    renderUnit: async (view, context) => ({ body: await vcJwt(unitCredential(view, context), context) }),
  },
  {
    kind: 'representation',
    // With an embedded proof.
    name: 'data-integrity',
    extension: 'vc.json',
    mediaTypes: ['application/vc+ld+json', 'application/vc'],
    rank: 3,
    profiles: UNTP_PROFILES,
    isSigned: true,
    isPublicOnly: true,
    render: async (view, context) => ({ body: await dataIntegrity(productPassportCredential(view, context), context) }),
    renderUnit: async (view, context) => ({ body: await dataIntegrity(unitCredential(view, context), context) }),
  },
  {
    kind: 'representation',
    // With selective disclosure. What a reader may not see is in no disclosure of its own copy.
    name: 'sd-jwt-vc',
    extension: 'sd-jwt',
    mediaTypes: ['application/dc+sd-jwt', 'application/vc+sd-jwt'],
    rank: 4,
    profiles: UNTP_PROFILES,
    isSigned: true,
    render: async (view, context) => ({
      body: await sdJwtVc(productPassportCredential(view, context), context, view.baseUrl),
    }),
    renderUnit: async (view, context) => ({
      body: await sdJwtVc(unitCredential(view, context), context, view.baseUrl),
    }),
  },
] satisfies RepresentationPlugin[]
