import { randomBytes } from 'node:crypto';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { SigningSecrets } from '../delivery/send/signature.ts';

/** How long the old secret goes on signing when the publisher does not end a rotation (D38). */
export const rotationMs = 24 * 3_600_000;

/** A new secret: `whsec_` and 32 random bytes in base64, as the Standard Webhooks specification has it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Tells whether a text can be a secret: `whsec_` and 24 to 64 bytes in base64, as the Standard Webhooks specification has it. */
export function isSecret(text: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

/** To what the secrets of an endpoint are bound. */
export const secretPlace = (publisherId: string, endpointId: EndpointId): readonly string[] => [
  'webhook_endpoint',
  publisherId,
  endpointId,
];

/** As they stand in the database: sealed. */
export interface StoredSecrets {
  secret: string;
  next_secret: string | null;
  rotation_started_at: Date | null;
}

/**
 * The secrets in use: through a rotation both, and the contract's header keeps the old one.
 * @throws SealError when they cannot be opened
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

/** A rotation that is a day old has ended by itself. */
export const isRotating = (startedAt: Date | null, now: Date): boolean =>
  startedAt !== null && now.getTime() - startedAt.getTime() < rotationMs;
