import type { CreatorAtPublisher } from '../members/erase/read-creator.ts';
import { lockMemberships } from '../members/lock-members.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { Refusal } from '../platform/refusal.ts';
import { readOpenMoney } from '../settlement/erase/read-owed.ts';

/** Amount that is given up, as typed: publisher, amount in the major unit, and currency, such as `aurora:84.20:USD`. */
export type GivenUp = string;

/**
 * Refuses an erasure while money is owed, unless exactly these amounts are given up.
 * @returns the publishers at which the creator gives up money
 * @throws Refusal Conflict that names each amount and what to do; InvalidInput for an amount that isn't owed
 */
export async function checkOpenMoney(
  db: Db | Tx,
  publishers: readonly CreatorAtPublisher[],
  givenUp: readonly GivenUp[],
): Promise<Set<string>> {
  const problems: string[] = [];
  const owing = new Set<string>();
  const open = new Set<string>();
  for (const { publisherId, membershipIds } of publishers) {
    const { owed, openPayouts, hasUnposted } = await readOpenMoney(db, { publisherId, membershipIds });
    for (const { currency, amountMinor } of owed) {
      const amount = formatMinorUnits(amountMinor, currency);
      const typed = `${publisherId}:${amount}:${currency}`;
      open.add(typed);
      if (amountMinor > 0n) owing.add(publisherId);
      if (givenUp.includes(typed)) continue;
      problems.push(
        amountMinor > 0n
          ? `${publisherId} owes the creator ${amount} ${currency}. Pay it with a payout. If the creator gives it up, add --give-up ${typed}.`
          : `The creator owes ${publisherId} ${formatMinorUnits(-amountMinor, currency)} ${currency}. If the publisher gives it up, add --give-up ${typed}.`,
      );
    }
    if (openPayouts.length > 0)
      problems.push(
        `A line of payout ${openPayouts.join(', ')} of ${publisherId} is on its way. Mark the payout as paid, set the line's result, or cancel the payout.`,
      );
    if (hasUnposted)
      problems.push(
        `Purchases of the creator at ${publisherId} are still being posted. Try again in a few seconds.`,
      );
  }
  if (problems.length > 0) throw new Refusal('Conflict', ['Nothing was erased.', ...problems].join('\n'));
  const wrong = givenUp.find((each) => !open.has(each));
  if (wrong !== undefined)
    throw new Refusal('InvalidInput', `Nothing was erased. ${wrong} isn't owed. Leave out this --give-up.`);
  return owing;
}

/** Checks a publisher's money again, under the locks of the creator's memberships. */
export async function checkLocked(
  tx: Tx,
  creator: CreatorAtPublisher,
  givenUp: readonly GivenUp[],
): Promise<void> {
  await lockMemberships(tx, creator.publisherId, creator.membershipIds);
  const own = givenUp.filter((each) => each.startsWith(`${creator.publisherId}:`));
  await checkOpenMoney(tx, [creator], own);
}
