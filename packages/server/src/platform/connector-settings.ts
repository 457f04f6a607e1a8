import { type Setting, serverUrl } from './setting-parsers.ts';

export interface ConnectorConfig {
  /** Origin of Steam's Web API for publishers. */
  readonly steamUrl: string;
}

/** Default origin of Steam's Web API for publishers. */
export const steamOrigin = 'https://partner.steam-api.com';

export const connectorSettings = {
  steamUrl: {
    name: 'STEAM_URL',
    fallback: steamOrigin,
    meaning:
      "URL of Steam's Web API for publishers, which [connectors](connectors/steam.md) of Steam are polled at. Another URL is for a proxy or a test server of your own, which may have a private address.",
    parse: serverUrl,
  },
} satisfies Record<keyof ConnectorConfig, Setting<unknown>>;
