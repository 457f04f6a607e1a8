import { hash } from 'node:crypto';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { EventKind } from '../event-kinds.ts';

/** An endpoint as its publisher sees it. */
export interface WebhookEndpoint {
  endpointId: EndpointId;
  url: string;
  eventKinds: EventKind[];
  isEnabled: boolean;
  isListener: boolean;
  /** Why it was switched off; null while it is on. */
  disabledReason: string | null;
  failingSince: Date | null;
  /** A rotation is under way since then: both secrets sign. */
  rotationStartedAt: Date | null;
  createdAt: Date;
}

/** What an endpoint is, in a few characters: who changes it says which one they saw. */
export const versionOf = (endpoint: { url: string; eventKinds: readonly string[] }): string =>
  hash('sha256', JSON.stringify([endpoint.url, [...endpoint.eventKinds].sort()]), 'base64url').slice(0, 16);

/** One endpoint, by what names it. */
export interface EndpointKey {
  publisherId: string;
  endpointId: EndpointId;
}

/** What the audit log calls it. */
export const endpointTarget = ({ endpointId }: Pick<EndpointKey, 'endpointId'>): string =>
  `webhook-endpoint:${endpointId}`;

export const noSuchEndpoint = ({ publisherId, endpointId }: EndpointKey): Refusal =>
  new Refusal('NotFound', `Publisher ${publisherId} has no webhook endpoint ${endpointId}.`);
