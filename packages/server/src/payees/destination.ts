import { createHmac } from 'node:crypto';
import type { AccountId } from '../platform/database/tables.generated.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';

/** Kinds of payout methods, in the order in which they are shown. */
export const methodKinds = ['paypal', 'wise-email', 'sepa'] as const;
export type MethodKind = (typeof methodKinds)[number];

export const holderTypes = ['individual', 'business'] as const;

export interface Holder {
  /** Legal name of the person or business that holds the account. */
  holderName: string;
  holderType: (typeof holderTypes)[number];
  /** Country of the holder, as two letters. */
  country: string;
}

/** Place that a creator's money is sent to, checked and in its normal form. */
export type Destination = Holder &
  ({ kind: 'paypal' | 'wise-email'; email: string } | { kind: 'sepa'; iban: string; bic: string | null });

/** Returns the part of a destination that people may see, such as `DE… 4821` or `m…@example.com`. */
export function hintOf(destination: Destination): string {
  if (destination.kind === 'sepa') return `${destination.iban.slice(0, 2)}… ${destination.iban.slice(-4)}`;
  const at = destination.email.lastIndexOf('@');
  const domain = destination.email.slice(at + 1);
  return `${destination.email.slice(0, 1)}…@${domain.length > 80 ? `…${domain.slice(-79)}` : domain}`;
}

/**
 * Hashes an address or account, so that other creators' methods with the same one can be found without opening them.
 * The same email address at two providers has the same fingerprint.
 */
export function fingerprintOf(secret: Buffer, destination: Destination): Buffer {
  const address =
    destination.kind === 'sepa' ? `iban:${destination.iban}` : `email:${destination.email.toLowerCase()}`;
  return createHmac('sha256', secret).update(address).digest();
}

export interface MethodOwner {
  publisherId: string;
  accountId: AccountId;
}

/** Place that a method is sealed for. A method that is copied to another creator can't be opened. */
export const methodPlace = ({ publisherId, accountId }: MethodOwner): readonly string[] => [
  'payee_method',
  publisherId,
  accountId,
];

export const sealDestination = (sealer: Sealer, owner: MethodOwner, destination: Destination): string =>
  sealer.seal(JSON.stringify(destination), methodPlace(owner));

/** @throws SealError if this process doesn't have the key, or the method was sealed for another creator */
export const openDestination = (sealer: Sealer, owner: MethodOwner, sealed: string): Destination =>
  JSON.parse(sealer.openUncached(sealed, methodPlace(owner))) as Destination;
