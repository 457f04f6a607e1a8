import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';

/**
 * What must hold on every database at every moment. A row that breaks several is said to break the first: causes
 * stand before what they bring about.
 */
export const rules = {
  membership: 'every row credits a membership of its group',
  merged: 'a merged membership leads to the membership of a member, in one step',
  settled: 'every row but a Test row is settled or waits to be, and a Test row has no payment',
  recorded: 'every payment is of a recorded row',
  sameRow: 'a settled payment has the group, member and date of its row',
  share: "a settled payment's share is its percent of the row's subtotal",
  entry:
    'a settled payment has a ledger entry of its share, a reward one of its amount, and every entry of a payment has its payment',
  reward: 'a Payment reward that was given is paid its amount once, and no other is paid',
  reversed: 'the money of a settled payment went back exactly if it is reversed, once and whole',
  refund: 'a reversed payment has one refund record that reverses money, and no other has one',
  clawback:
    'what was taken back after a payout is a clawback of a row that is in one, and no other row in one went back',
  paid: 'a row or reward says when it was paid only as its payout does',
  item: 'a payout item has a ledger entry of its amount, and every payout entry has its item',
  returned: 'an item of a cancelled payout came back to its member, and no other did',
  items:
    'the items of a payout are the sum of the rows, rewards and clawbacks that carry its batch, member by member',
  payout: 'a payout is the sum of its items, and every stamped row or reward has an item',
  rollup: 'a rollup is the sum of its settled rows',
  balance: 'a balance is the sum of its ledger entries',
} as const;

export type Rule = keyof typeof rules;
const inOrder = Object.keys(rules) as Rule[];

/** A row that is not explained. */
export interface Finding {
  rule: Rule;
  row: string;
}

/** A rule, as queries of findings name it: by its place. */
export const rule = (name: Rule): RawBuilder<unknown> => sql.raw(String(inOrder.indexOf(name)));

/** @param broken a query of (rule, row) @returns the first of them, or null */
export async function firstFinding(tx: Tx, broken: RawBuilder<unknown>): Promise<Finding | null> {
  const { rows } = await sql<{ rule: number; row: string }>`
    select rule, row from (${broken}) broken order by rule, row limit 1`.execute(tx);
  const [first] = rows;
  return first === undefined ? null : { rule: ruleAt(first.rule), row: first.row };
}

function ruleAt(place: number): Rule {
  const name = inOrder[place];
  if (name === undefined) throw new Error(`there is no rule ${place}`);
  return name;
}
