import type { EndpointId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';
import type { EventKind } from '../event-kinds.ts';

export interface WebhookEndpoint {
  endpointId: EndpointId;
  url: string;
  eventKinds: EventKind[];
  isEnabled: boolean;
  isListener: boolean;
  /** Reason why the endpoint was switched off; null while the endpoint is on. */
  disabledReason: string | null;
  failingSince: Date | null;
  /** Start of the current rotation, during which both secrets sign; null if no rotation is in progress. */
  rotationStartedAt: Date | null;
  createdAt: Date;
}

/** Returns an endpoint's version, which is used to detect stale edits. */
export const endpointVersion = ({
  url,
  eventKinds,
}: {
  url: string;
  eventKinds: readonly string[];
}): string => versionOf([url, [...eventKinds].sort()]);

export interface EndpointKey {
  publisherId: string;
  endpointId: EndpointId;
}

export const endpointTarget = ({ endpointId }: Pick<EndpointKey, 'endpointId'>): string =>
  `webhook-endpoint:${endpointId}`;

export const noSuchEndpoint = ({ publisherId, endpointId }: EndpointKey): Refusal =>
  new Refusal('NotFound', `Publisher ${publisherId} has no webhook endpoint ${endpointId}.`);
