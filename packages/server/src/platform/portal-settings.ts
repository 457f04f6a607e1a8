import { maxOidcProviders, type OidcProvider, oidcProviders } from './oidc-providers.ts';
import { portalUrl, type Setting } from './setting-parsers.ts';

/** The creators' portal, and the providers that creators may sign in with. A provider without an id is off. */
export interface PortalConfig {
  /** URL of the creators' portal without a trailing slash. Null if the portal is off. */
  readonly portalUrl: string | null;
  readonly portalTwitchClientId: string;
  readonly portalTwitchClientSecret: string;
  readonly portalDiscordClientId: string;
  readonly portalDiscordClientSecret: string;
  readonly portalYoutubeClientId: string;
  readonly portalYoutubeClientSecret: string;
  readonly portalOidcProviders: readonly OidcProvider[];
}

const text = (given: string): string => given;
const steps = '[portal.md](portal.md#sign-in-with-providers)';

export const portalSettings: {
  readonly [Key in keyof PortalConfig]: Setting<PortalConfig[Key]>;
} = {
  portalUrl: {
    name: 'PORTAL_URL',
    fallback: '',
    meaning:
      "URL of the creators' portal, such as `https://pay.example.com/creators`. The host may be the one in `PUBLIC_URL`, or a separate one that forwards to the service. The path is always `/creators`. Setting it turns the portal on, which also requires `SMTP_URL` ([portal.md](portal.md)). Requests are accepted only from pages at the origin of this URL.",
    parse: portalUrl,
  },
  portalTwitchClientId: {
    name: 'PORTAL_TWITCH_CLIENT_ID',
    fallback: '',
    meaning: `Client ID of your application at Twitch. Setting it lets creators add their Twitch account and sign in with it (${steps}).`,
    parse: text,
  },
  portalTwitchClientSecret: {
    name: 'PORTAL_TWITCH_CLIENT_SECRET',
    fallback: '',
    meaning: 'Client secret of your application at Twitch.',
    parse: text,
  },
  portalDiscordClientId: {
    name: 'PORTAL_DISCORD_CLIENT_ID',
    fallback: '',
    meaning: `Client ID of your application at Discord. Setting it lets creators add their Discord account and sign in with it (${steps}).`,
    parse: text,
  },
  portalDiscordClientSecret: {
    name: 'PORTAL_DISCORD_CLIENT_SECRET',
    fallback: '',
    meaning: 'Client secret of your application at Discord.',
    parse: text,
  },
  portalYoutubeClientId: {
    name: 'PORTAL_YOUTUBE_CLIENT_ID',
    fallback: '',
    meaning: `Client ID of your web application at Google. Setting it lets creators add their YouTube channel and sign in with it (${steps}).`,
    parse: text,
  },
  portalYoutubeClientSecret: {
    name: 'PORTAL_YOUTUBE_CLIENT_SECRET',
    fallback: '',
    meaning: 'Client secret of your web application at Google.',
    parse: text,
  },
  portalOidcProviders: {
    name: 'PORTAL_OIDC_PROVIDERS',
    fallback: '',
    meaning: `Up to ${maxOidcProviders} OpenID Connect providers that creators may sign in with, such as that of your game's accounts: a JSON list of objects with \`id\`, \`name\`, \`issuer\`, \`clientId\`, \`clientSecret\` and, if it differs from \`openid profile\`, \`scope\`, usually in a file ([portal.md](portal.md#openid-connect)). These are not the staff's provider, which is in \`OIDC_ISSUER\`.`,
    parse: oidcProviders,
  },
};

/** Returns a problem for each provider whose settings are incomplete. */
export function problemsOfProviders(config: PortalConfig): string[] {
  const problems: string[] = [];
  const pairs = [
    ['PORTAL_TWITCH_CLIENT', config.portalTwitchClientId, config.portalTwitchClientSecret],
    ['PORTAL_DISCORD_CLIENT', config.portalDiscordClientId, config.portalDiscordClientSecret],
    ['PORTAL_YOUTUBE_CLIENT', config.portalYoutubeClientId, config.portalYoutubeClientSecret],
  ] as const;
  for (const [name, id, secret] of pairs)
    if ((id === '') !== (secret === '')) problems.push(`${name}_ID and ${name}_SECRET require each other`);
  return problems;
}
