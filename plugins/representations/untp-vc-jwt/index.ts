import {
  productPassportCredential,
  type RepresentationPlugin,
  signVcJwt,
  UNTP_PROFILES,
} from '../../../src/plugin/index.ts'

/** The UNTP credential of a passport in a JWT, the form that UNTP itself asks for. */
export default {
  kind: 'representation',
  name: 'untp-vc-jwt',
  mediaTypes: ['application/vc+jwt'],
  profiles: UNTP_PROFILES,
  isSigned: true,
  isPublicOnly: true,
  render: async (view, { signing, profile }) => ({
    body: await signVcJwt(await productPassportCredential(view, signing, profile), signing.issuer),
  }),
} satisfies RepresentationPlugin
