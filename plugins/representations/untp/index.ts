import {
  type Credential,
  type RepresentationPlugin,
  type SigningContext,
  signDataIntegrity,
  signVcJwt,
} from '../../../src/plugin/index.ts'
import { signSdJwtVc } from './sd-jwt-vc.ts'
import { productPassportCredential, UNTP_PROFILES, unitCredential } from './untp.ts'

async function sdJwtVc(
  credential: Credential,
  { signing: { issuer, statusPlace } }: SigningContext,
  baseUrl: string,
): Promise<string> {
  const { list } = await statusPlace()
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
    render: async (view, context) => ({
      body: await signVcJwt(await productPassportCredential(view, context), context.signing.issuer),
    }),
    renderUnit: async (view, context) => ({
      body: await signVcJwt(await unitCredential(view, context), context.signing.issuer),
    }),
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
    render: async (view, context) => ({
      body: JSON.stringify(
        await signDataIntegrity(await productPassportCredential(view, context), context.signing.issuer),
      ),
    }),
    renderUnit: async (view, context) => ({
      body: JSON.stringify(await signDataIntegrity(await unitCredential(view, context), context.signing.issuer)),
    }),
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
      body: await sdJwtVc(await productPassportCredential(view, context), context, view.baseUrl),
    }),
    renderUnit: async (view, context) => ({
      body: await sdJwtVc(await unitCredential(view, context), context, view.baseUrl),
    }),
  },
] satisfies RepresentationPlugin[]
