import {
  productPassportCredential,
  type RepresentationPlugin,
  signSdJwtVc,
  UNTP_PROFILES,
} from '../../../src/plugin/index.ts'

/** The credential of a passport with selective disclosure. What a tier may not see is in no disclosure of its own copy. */
export default {
  kind: 'representation',
  name: 'sd-jwt-vc',
  mediaTypes: ['application/dc+sd-jwt', 'application/vc+sd-jwt'],
  profiles: UNTP_PROFILES,
  isSigned: true,
  render: async (view, { signing, profile }) => ({
    body: await signSdJwtVc(await productPassportCredential(view, signing, profile), signing.issuer, view.baseUrl),
  }),
} satisfies RepresentationPlugin
