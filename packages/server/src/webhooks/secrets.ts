import { randomBytes } from 'node:crypto';
import type { SigningSecrets } from './signature.ts';

/** How long the old secret goes on signing when the publisher does not end a rotation (D38). */
const rotationMs = 24 * 3_600_000;

/** A new secret: `whsec_` and 32 random bytes in base64, as the Standard Webhooks specification has it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export interface StoredSecrets {
  secret: string;
  next_secret: string | null;
  rotation_started_at: Date | null;
}

/** The secrets in use: through a rotation both, and the contract's header keeps the old one. */
export function secretsInUse(stored: StoredSecrets, now: Date): SigningSecrets {
  const { secret, next_secret: next, rotation_started_at: startedAt } = stored;
  if (next === null || startedAt === null) return { contract: secret, standard: [secret] };
  if (now.getTime() - startedAt.getTime() >= rotationMs) return { contract: next, standard: [next] };
  return { contract: secret, standard: [next, secret] };
}

/** Rotations that began before this have ended by themselves. */
export const rotationCutoff = (now: Date): Date => new Date(now.getTime() - rotationMs);
