import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { CountedCommit } from '../platform/database/in-transaction.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';
import { eraseInEvents } from '../webhooks/erase-in-events.ts';

interface CreditedMember {
  publisherId: string;
  membershipIds: readonly MembershipId[];
  /** Replacement of a code; the same code if codes are kept. */
  codeFor(code: string): string;
}

/**
 * Removes a creator's player id from the stored events of purchases that were credited to the creator, and replaces the code.
 * The events don't contain the creator's account, so they are found by their rows. This also finds player ids and codes that
 * the creator no longer had.
 * @returns the number of events changed
 */
export const eraseCreditedMember = (
  db: Db,
  commit: CountedCommit,
  { publisherId, membershipIds, codeFor }: CreditedMember,
): Promise<number> =>
  eraseInEvents(db, commit, {
    publisherId,
    endId: null,
    isSought: sql`
      e.kind in ('Attribution/TransactionRecorded', 'Attribution/TransactionStatusChanged') and exists (
        select 1
        from attribution a
        where a.publisher_id = ${publisherId} and a.attribution_id = (e.event::json ->> 'id')::uuid
          and a.membership_id = any(${[...membershipIds]}::uuid[]))`,
    rewrite: ({ memberPlayerId, ...event }) => ({
      ...event,
      ...(typeof event.code === 'string' && { code: codeFor(event.code) }),
    }),
  });
