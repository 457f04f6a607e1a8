import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';

/**
 * What must hold on every database at every moment. A row that breaks several is said to break the first: causes
 * stand before what they bring about.
 */
export const rules = {
  membership: 'every row credits a membership of its group',
  merged: 'a merged membership leads to the membership of a member, in one step',
  share:
    "a row's share is its percent of its subtotal, and the percent that of the most specific rule that offered one",
  posted: 'every row was posted by one posting, once, or waits for it',
  posting: 'no row of a posting is dated before the earliest date that the posting says',
  waiting: 'what waits to be posted is as many rows as were recorded together',
  recorded: 'every payment is of a recorded row, and of no Test row',
  sameRow: 'a payment has the group, member, currency, date and share of its row',
  early: 'nothing is paid or taken back of a row before it is posted',
  entry:
    'what a posting paid each member is the sum of its rows, a reward its amount, and nothing else was paid',
  reward: 'a Payment reward that was given is paid its amount once, and no other is paid',
  reversed: 'the money of a posted row went back exactly if its payment is reversed, once and whole',
  refund: 'a reversed payment has one refund record that reverses money, and no other has one',
  status: 'a row that is no Test row is Normal exactly as long as its payment is not reversed',
  clawback:
    'what was taken back after a payout is a clawback of a row that is in one, and no other row in one went back',
  paid: 'a row or reward says when it was paid only as its payout does',
  mark: 'no row that can be paid is dated before the mark from which its member is paid',
  item: 'a payout item has a ledger entry of its amount, and every payout entry has its item',
  returned: 'an item of a cancelled payout came back to its member, and no other did',
  items:
    'the items of a payout are the sum of the rows, rewards and clawbacks that carry its batch, member by member',
  payout: 'a payout is the sum of its items, and every assigned row or reward has an item',
  rollup: 'a rollup is the sum of its posted rows, and counts them by status',
  hour: 'the transactions of an hour are counted as its posted rows, by status',
  group: "what is kept of a group's day is the sum of its members' rollups",
  code: 'every code that was credited is kept with its member',
  earned: 'what was paid and taken back of a member, entry by entry, is the sum of rollups and rewards',
  balance: 'a balance is the sum of its ledger entries',
} as const;

export type Rule = keyof typeof rules;
const inOrder = Object.keys(rules) as Rule[];

/** A row, or a sum of rows, that is not explained. */
export interface Finding {
  rule: Rule;
  row: string;
  /** Of a sum, some of the rows that it is of. */
  rows?: readonly string[];
}

/** How many rows of a sum are named. */
export const rowsNamed = 5;

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
