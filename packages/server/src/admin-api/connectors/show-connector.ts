import type { Connector } from '../../connectors/connector-record.ts';
import type { Provider } from '../../connectors/provider.ts';
import { polledProviderOf, webhookProviderOf } from '../../connectors/providers/all-providers.ts';

/** Converts a connector to its response, without secrets. */
export const showConnector = ({
  connectorId,
  name,
  provider,
  groupId,
  settings,
  hasSecret,
  rotationStartedAt,
  pausedAt,
  refused,
  refusedSince,
  poll,
  createdAt,
  version,
}: Connector) => ({
  ...{ connectorId, name, provider, groupId, settings, hasSecret, pausedAt, refused, createdAt, version },
  refusedSince,
  path: poll === null ? `/hooks/v1/${connectorId}` : '',
  signatureHeader: webhookProviderOf(provider)?.signatureHeader(settings) ?? '',
  poll:
    poll === null
      ? null
      : {
          polledAt: poll.polledAt,
          nextAt: poll.nextAt,
          failingSince: poll.failing?.since ?? null,
          failures: poll.failing?.times ?? 0,
          problem: poll.failing?.problem ?? null,
        },
  secretChangeStartedAt: rotationStartedAt,
});

/** Converts a provider to what a person needs to enter for it. */
export function showProvider({ id, name, fixtures }: Provider) {
  const polled = polledProviderOf(id);
  return {
    ...{ id, name },
    hasHandshake: webhookProviderOf(id)?.hasHandshake ?? false,
    isPolled: polled !== null,
    secretName: polled?.secretName ?? 'Signing secret',
    requiredSettings: (polled?.requiredSettings ?? []).map((setting) => ({ ...setting })),
    fixtures: fixtures.map((fixture) => fixture.name),
  };
}
