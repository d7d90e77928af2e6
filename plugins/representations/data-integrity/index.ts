import {
  productPassportCredential,
  type RepresentationPlugin,
  signDataIntegrity,
  UNTP_PROFILES,
} from '../../../src/plugin/index.ts'

/** The UNTP credential of a passport with an embedded proof. */
export default {
  kind: 'representation',
  name: 'data-integrity',
  mediaTypes: ['application/vc+ld+json', 'application/vc'],
  profiles: UNTP_PROFILES,
  isSigned: true,
  isPublicOnly: true,
  render: async (view, { signing, profile }) => ({
    body: JSON.stringify(
      await signDataIntegrity(await productPassportCredential(view, signing, profile), signing.issuer),
    ),
  }),
} satisfies RepresentationPlugin
