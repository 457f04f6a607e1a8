import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';

/**
 * Rules that hold for every database at any time. A row that breaks several rules is reported only with the first, so
 * causes come before consequences.
 */
export const rules = {
  membership: 'every row credits a membership of its group',
  merged: 'a merged membership points directly to the membership of a member',
  share:
    "a row's share is its percentage of the subtotal, and the percentage is that of the most specific rule with an offer",
  posted: 'every row is either unposted or posted exactly once, by one posting',
  posting: "no row in a posting has a date before the posting's earliest date",
  waiting: 'every unposted recording has as many rows as were recorded',
  recorded: 'every payment belongs to a recorded row that is not a Test row',
  sameRow: 'a payment has the same group, member, currency, date and share as its row',
  early: 'no row is paid or clawed back before it is posted',
  entry:
    "a posting's entry for a member is the sum of the member's rows in it, a reward's entry is its amount, and there are no other payment entries",
  reward: 'every Payment reward is paid once and in full, and no other reward is paid',
  parts:
    'the share taken back from a partly refunded row is in proportion to the refunded subtotal, and each part has a refund record and an entry',
  reinstated:
    'every reinstatement gives back what one refund record took of its row, has an entry for it, and is owed again if the row had been paid',
  reversed:
    'a posted row has one reversal entry, for its whole share, if and only if its payment is fully reversed',
  refund:
    'every fully reversed payment has one refund record that reverses money, and no other payment has one',
  status: 'a row other than a Test row is Normal if and only if its payment is not reversed',
  clawback:
    'everything that was taken back from a row in a payout has a clawback for its amount, and nothing else has one',
  paid: 'the payment date of a row or reward matches that of its payout',
  mark: 'no payable row has a date before the mark from which its member is paid',
  hold: 'no row was on hold at the cutoff of the payout that it is in',
  gate: 'no line pays a creator who was under review, or who had no tax clearance although its payout needed one',
  method:
    "a line's payout method belongs to its creator and could be used when the line was created, and a payout that needs methods has no line without one",
  item: 'every payout item has a ledger entry for its amount, and every payout entry has an item',
  returned:
    'every item of a canceled payout, and every line whose money came back, was returned to its member, and no other item was',
  cameBack: "a line's amount is owed again if and only if the line failed or was returned",
  items:
    "a member's items in a payout are the sum of the rows, rewards and clawbacks assigned to it, and of amounts that came back or were reinstated",
  payout: 'a payout is the sum of its items, and every assigned row or reward has an item',
  reduction:
    "a reduction is the difference between a previewed amount and the lower amount of its line, and a pay run's confirmed total is that of its payout plus all reductions",
  rollup: 'a rollup is the sum of its posted rows and of what was taken back, and counts the rows by status',
  hour: 'the transaction counts of an hour match its posted rows, by status',
  group: "the rollup and counts of a group's day are the sums of its members' rollups",
  code: 'every code that purchases credit is stored with its member',
  earned: "a member's payment and reversal entries add up to the member's rollups and rewards",
  balance: 'a balance is the sum of its ledger entries',
  statement:
    'a statement contains what the ledger booked in its month, begins with the closing balance of the one before, and leaves out nothing that was booked in closed months',
} as const;

export type Rule = keyof typeof rules;
const inOrder = Object.keys(rules) as Rule[];

export interface Finding {
  rule: Rule;
  row: string;
  rows?: readonly string[];
}

/** Maximum number of rows to report for a sum. */
export const maxRowsNamed = 5;

/** Returns a rule's index as SQL. Queries report broken rules by index and sort their findings by it. */
export const rule = (name: Rule): RawBuilder<unknown> => sql.raw(String(inOrder.indexOf(name)));

/** @param broken a query of (rule, row) */
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
