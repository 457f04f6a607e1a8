import type { Connector } from '../../connectors/connector-record.ts';
import { providerOf } from '../../connectors/providers/all-providers.ts';

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
  createdAt,
  version,
}: Connector) => ({
  ...{ connectorId, name, provider, groupId, settings, hasSecret, pausedAt, refused, createdAt, version },
  path: `/hooks/v1/${connectorId}`,
  signatureHeader: providerOf(provider).signatureHeader(settings),
  secretChangeStartedAt: rotationStartedAt,
});
