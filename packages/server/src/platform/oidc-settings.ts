import { oidcIssuer, type Setting, yesOrNo } from './setting-parsers.ts';

/** OpenID Connect provider that staff may sign in with. */
export interface OidcConfig {
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  readonly oidcName: string;
  readonly oidcTrustEmail: boolean;
}

export const oidcSettings: { readonly [Key in keyof OidcConfig]: Setting<OidcConfig[Key]> } = {
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    fallback: '',
    meaning:
      'Issuer of an OpenID Connect provider that staff may sign in with, such as `https://accounts.google.com`. The other details are read from the provider ([sign-in.md](sign-in.md)).',
    parse: oidcIssuer,
  },
  oidcClientId: {
    name: 'OIDC_CLIENT_ID',
    fallback: '',
    meaning: 'Client ID of this installation at the provider.',
    parse: (text) => text,
  },
  oidcClientSecret: {
    name: 'OIDC_CLIENT_SECRET',
    fallback: '',
    meaning: 'Client secret of this installation at the provider.',
    parse: (text) => text,
  },
  oidcName: {
    name: 'OIDC_NAME',
    fallback: 'single sign-on',
    meaning: 'Name of the provider on the sign-in button.',
    parse: (text) => text,
  },
  oidcTrustEmail: {
    name: 'OIDC_TRUST_EMAIL',
    fallback: 'false',
    meaning:
      "Set to `true` for your own organization's provider, such as single-tenant Microsoft Entra ID, if it does not report which addresses it has verified. Anyone with an invited address at that provider can then sign in.",
    parse: yesOrNo,
  },
};
