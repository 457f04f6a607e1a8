import { serviceActor } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import type { CreatedPayout } from '../../settlement/payouts/create/create-payout.ts';
import { pagesOfItems } from '../../settlement/payouts/read/list-payout-items.ts';

/** Lets the bank return the smallest payment of a paid payout, so that its amount is due again. */
export async function returnOnePayment(
  { database: { background: db }, operations }: Service,
  publisherId: string,
  { batchId }: Pick<CreatedPayout, 'batchId'>,
): Promise<void> {
  const items = [];
  for await (const page of pagesOfItems(db, publisherId, batchId)) items.push(...page);
  const [smallest] = items.toSorted((one, other) => Number(one.amountMinor - other.amountMinor));
  if (smallest === undefined) return;
  const { reference } = smallest;
  const note = 'The bank returned it: the account is closed.';
  await operations.setResults(db, serviceActor, {
    publisherId,
    payoutId: batchId,
    results: [{ line: 1, reference, result: 'Returned', note, problem: null }],
    isDryRun: false,
  });
}
