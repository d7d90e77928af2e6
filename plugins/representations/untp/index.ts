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

// Building, signing and serializing a large credential take equally long, so each step yields.

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

/** UNTP Digital Product Passport as VC-JWT, Data Integrity credential and SD-JWT VC. */
export default [
  {
    kind: 'representation',
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
    // Restricted values are in no disclosure of the reader's copy.
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
