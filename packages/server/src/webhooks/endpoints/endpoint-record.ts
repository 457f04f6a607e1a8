import type { EndpointId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';
import type { EventKind } from '../event-kinds.ts';

/** Webhook endpoint as its publisher sees it. */
export interface WebhookEndpoint {
  endpointId: EndpointId;
  url: string;
  eventKinds: EventKind[];
  isEnabled: boolean;
  isListener: boolean;
  /** Reason why the endpoint was switched off; null while it is on. */
  disabledReason: string | null;
  failingSince: Date | null;
  /** Start of the current rotation, during which both secrets sign; null outside a rotation. */
  rotationStartedAt: Date | null;
  createdAt: Date;
}

/** Returns the version of an endpoint, by which stale edits are detected. */
export const endpointVersion = ({
  url,
  eventKinds,
}: {
  url: string;
  eventKinds: readonly string[];
}): string => versionOf([url, [...eventKinds].sort()]);

/** Key of an endpoint. */
export interface EndpointKey {
  publisherId: string;
  endpointId: EndpointId;
}

/** Returns the target of an endpoint's audit entries. */
export const endpointTarget = ({ endpointId }: Pick<EndpointKey, 'endpointId'>): string =>
  `webhook-endpoint:${endpointId}`;

export const noSuchEndpoint = ({ publisherId, endpointId }: EndpointKey): Refusal =>
  new Refusal('NotFound', `Publisher ${publisherId} has no webhook endpoint ${endpointId}.`);
