/** A place where people of the staff have an account already, found by OpenID Connect's discovery. */
export interface OidcProvider {
  /** What stands in the addresses that the provider knows: /admin/v1/auth/callback/<id>. */
  id: string;
  /** What the button says. */
  name: string;
  /** `https://accounts.example.com`, without /.well-known/openid-configuration. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whether an address that the provider does not call verified is taken for the person's own. */
  trustsEmail: boolean;
}

/** The library's part for all of them; it asks each for its addresses when it starts. */
export async function oidcPlugin(providers: readonly OidcProvider[]) {
  const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
  return genericOAuth({
    config: providers.map(({ id, name, issuer, clientId, clientSecret }) => ({
      providerId: id,
      name,
      clientId,
      clientSecret,
      discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      scopes: ['openid', 'email', 'profile'],
      pkce: true,
      // People come by invitation; whom nobody invited has no account to sign in to.
      disableSignUp: true,
      disableImplicitSignUp: true,
    })),
  });
}
