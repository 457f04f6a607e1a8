/** OpenID Connect provider that staff can sign in with, configured through discovery. */
export interface OidcProvider {
  /** Last part of the callback URL to register with the provider: /admin/v1/auth/callback/<id>. */
  id: string;
  /** Name shown on the sign-in button. */
  name: string;
  /** Issuer URL without /.well-known/openid-configuration, such as `https://accounts.example.com`. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** True to accept email addresses that the provider doesn't report as verified. */
  trustsEmail: boolean;
}

/**
 * Creates the library's plugin for the providers. At startup, the plugin fetches each provider's discovery
 * document.
 */
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
      // Accounts are only created by invitation.
      disableSignUp: true,
      disableImplicitSignUp: true,
    })),
  });
}
