import { randomBytes } from 'node:crypto';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { SigningSecrets } from '../delivery/send/signature.ts';

/**
 * Period during which the old secret is still used for signing, unless the publisher finishes the rotation earlier
 * (D38).
 */
export const rotationMs = 24 * 3_600_000;

/**
 * Generates a secret in the format of the Standard Webhooks specification: `whsec_` and 32 random bytes in
 * base64.
 */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Returns whether text is a valid secret under the Standard Webhooks specification: `whsec_` and 24 to 64
 * bytes in base64.
 */
export function isSecret(text: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

/** Returns the place that an endpoint's sealed secrets are bound to. */
export const secretPlace = (publisherId: string, endpointId: EndpointId): readonly string[] => [
  'webhook_endpoint',
  publisherId,
  endpointId,
];

export interface StoredSecrets {
  secret: string;
  next_secret: string | null;
  rotation_started_at: Date | null;
}

/**
 * Returns the secrets in use. During a rotation, both are in use, and the contract's header uses the old
 * secret.
 * @throws SealError when the secrets can't be opened
 */
export function secretsInUse(
  stored: StoredSecrets & { publisherId: string; endpointId: EndpointId },
  sealer: Sealer,
  now: Date,
): SigningSecrets {
  const place = secretPlace(stored.publisherId, stored.endpointId);
  const secret = sealer.open(stored.secret, place);
  if (stored.next_secret === null) return { contract: secret, standard: [secret] };
  const next = sealer.open(stored.next_secret, place);
  if (!isRotating(stored.rotation_started_at, now)) return { contract: next, standard: [next] };
  return { contract: secret, standard: [next, secret] };
}

/** Returns whether a rotation is in progress. A rotation ends automatically after a day. */
export const isRotating = (startedAt: Date | null, now: Date): boolean =>
  startedAt !== null && now.getTime() - startedAt.getTime() < rotationMs;
