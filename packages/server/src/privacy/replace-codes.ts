import { nextDayOf, readCodesOfDay, replaceCodesOfDay } from '../attributions/replace-codes.ts';
import type { ReplaceCode } from '../members/erase/erase-codes.ts';
import type { CreatorAtPublisher } from '../members/erase/read-creator.ts';
import { lockMemberships } from '../members/lock-members.ts';
import type { Db } from '../platform/database/database.ts';
import type { CountedCommit } from '../platform/database/in-transaction.ts';
import { deleteUnusedCodes, replaceCodesInSums } from '../settlement/erase/replace-codes-in-sums.ts';
import { lockForPosting } from '../settlement/settlement-lock.ts';

/**
 * Replaces a creator's codes in a publisher's purchases and sums, one commit for each day of a membership. Rows and sums of a
 * day change together, so the ledger can be verified at any moment.
 * @returns the number of rows of purchases
 */
export async function replaceCodesInPurchases(
  db: Db,
  commit: CountedCommit,
  { publisherId, membershipIds }: CreatorAtPublisher,
  replace: ReplaceCode,
): Promise<number> {
  let rows = 0;
  for (const membershipId of membershipIds)
    for (let day = await nextDayOf(db, { publisherId, membershipId, day: null }); day !== null; ) {
      const of = { publisherId, membershipId, day };
      const codes = (await readCodesOfDay(db, of))
        .map((code) => [code, replace(code)] as const)
        .filter(([from, to]) => from !== to);
      if (codes.length > 0)
        rows += await commit(async (tx) => {
          await lockForPosting(tx, publisherId);
          await lockMemberships(tx, publisherId, [membershipId]);
          await replaceCodesInSums(tx, of, codes);
          return replaceCodesOfDay(tx, of, codes);
        });
      day = await nextDayOf(db, of);
    }
  await commit(async (tx) => {
    await lockForPosting(tx, publisherId);
    await lockMemberships(tx, publisherId, membershipIds);
    return deleteUnusedCodes(tx, { publisherId, membershipIds });
  });
  return rows;
}
