import type { Config } from '../../platform/config.ts';
import type { OidcProvider } from '../../platform/oidc-providers.ts';
import { type Provider, ProviderRefusal, requireSubject, shownName } from './provider.ts';

/** URLs of the providers whose addresses are known. Tests use servers of their own. */
export interface ProviderUrls {
  twitch: string;
  discord: string;
  google: string;
  youtube: string;
}

export const providerUrls: ProviderUrls = {
  twitch: 'https://id.twitch.tv/oauth2',
  discord: 'https://discord.com',
  google: 'https://accounts.google.com',
  youtube: 'https://www.googleapis.com',
};

/** Returns the providers that the settings turn on, in the order in which the sign-in page shows them. */
export function openProviders(config: Config, urls: ProviderUrls): readonly Provider[] {
  return [
    ...(config.portalTwitchClientId === '' ? [] : [twitch(config, urls)]),
    ...(config.portalYoutubeClientId === '' ? [] : [youtube(config, urls)]),
    ...(config.portalDiscordClientId === '' ? [] : [discord(config, urls)]),
    ...config.portalOidcProviders.map(oidc),
  ];
}

/** Asks for no email address: the account is recognized by its id alone. */
const twitch = (config: Config, { twitch: issuer }: ProviderUrls): Provider => ({
  id: 'twitch',
  name: 'Twitch',
  clientId: config.portalTwitchClientId,
  clientSecret: config.portalTwitchClientSecret,
  issuer,
  server: { discoverAt: issuer },
  ownUrls: [issuer],
  scope: 'openid',
  hasIdToken: true,
  sendsSecretInBody: true,
  parameters: { claims: JSON.stringify({ id_token: { preferred_username: null } }) },
  accountOf: async ({ claims }) => ({
    issuer,
    subject: requireSubject(claims?.sub),
    name: shownName(claims?.preferred_username),
  }),
});

/** Discord's user is in its API, not in an ID token. */
const discord = (config: Config, { discord: issuer }: ProviderUrls): Provider => ({
  id: 'discord',
  name: 'Discord',
  clientId: config.portalDiscordClientId,
  clientSecret: config.portalDiscordClientSecret,
  issuer,
  server: {
    fixed: {
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/api/oauth2/token`,
    },
  },
  ownUrls: [issuer],
  scope: 'identify',
  hasIdToken: false,
  sendsSecretInBody: true,
  async accountOf({ read }) {
    const user = (await read(`${issuer}/api/users/@me`)) as Record<string, unknown> | null;
    return { issuer, subject: requireSubject(user?.id), name: shownName(user?.global_name, user?.username) };
  },
});

const channelIssuer = 'https://www.youtube.com';

/**
 * Recognizes a YouTube channel by the channel's id, because a person may have several channels, and a channel several
 * people.
 */
const youtube = (config: Config, { google, youtube: api }: ProviderUrls): Provider => ({
  id: 'youtube',
  name: 'YouTube',
  clientId: config.portalYoutubeClientId,
  clientSecret: config.portalYoutubeClientSecret,
  issuer: channelIssuer,
  server: { discoverAt: google },
  ownUrls: [google, api],
  scope: 'openid https://www.googleapis.com/auth/youtube.readonly',
  hasIdToken: true,
  parameters: { prompt: 'select_account' },
  async accountOf({ read }) {
    const found = (await read(`${api}/youtube/v3/channels?part=snippet&mine=true`)) as {
      items?: unknown;
    } | null;
    const [channel] = Array.isArray(found?.items) ? (found.items as (Record<string, unknown> | null)[]) : [];
    if (channel === undefined) throw new ProviderRefusal('no-channel');
    const { title } = (channel?.snippet ?? {}) as { title?: unknown };
    return {
      issuer: channelIssuer,
      subject: requireSubject(channel?.id),
      name: shownName(title),
    };
  },
});

const oidc = ({ issuer, ...provider }: OidcProvider): Provider => ({
  ...provider,
  issuer,
  server: { discoverAt: issuer },
  ownUrls: [issuer],
  hasIdToken: true,
  accountOf: async ({ claims }) => ({
    issuer,
    subject: requireSubject(claims?.sub),
    name: shownName(claims?.preferred_username, claims?.nickname, claims?.name),
  }),
});
