import type { Db } from '../platform/database/database.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import { asTyped } from '../platform/program-name.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import type { ShareRule } from '../revenue-shares/resolve-share.ts';
import { explainShares } from '../settlement/explain-shares.ts';
import { createPayout } from '../settlement/payouts/create/create-payout.ts';

import { previewPayout } from '../settlement/payouts/create/preview-payout.ts';
import { getPayout, listPayouts, type PayoutBatch, payoutItems } from '../settlement/payouts/read-payouts.ts';
import { readBalances } from '../settlement/read-balances.ts';
import { printTable } from './print-table.ts';

type Print = (line: string) => void;

export interface PayoutOptions {
  publisher: string;
  group: string;
  currency?: string;
  asOf?: string;
  json?: boolean;
}

export async function previewPayoutCommand(db: Db, options: PayoutOptions, print: Print): Promise<void> {
  const { publisher, group, currency = null, json } = options;
  const { asOf, payables } = await previewPayout(db, publisher, group, currency, readAsOf(options));
  if (json) {
    print(toJson({ asOf, payables }));
    return;
  }
  if (payables.length === 0) print('Nobody is owed anything that is out of the hold period.');
  else {
    printTable(
      ['MEMBER', 'NAME', 'CURRENCY', 'ROWS', 'EARNED', 'REWARDS', 'TAKEN BACK', 'AMOUNT', ''],
      payables.map((each) => [
        each.memberId,
        each.name,
        each.currency,
        String(each.rowCount),
        formatMinorUnits(each.paymentsMinor, each.currency),
        formatMinorUnits(each.rewardsMinor, each.currency),
        formatMinorUnits(each.adjustmentsMinor, each.currency),
        formatMinorUnits(each.amountMinor, each.currency),
        each.isDue ? 'due' : `waits (minimum ${formatMinorUnits(each.minimumMinor, each.currency)})`,
      ]),
      print,
    );
  }
  if (!payables.some(({ isDue }) => isDue)) return;
  const only = currency === null ? '' : ` --currency ${currency}`;
  print(
    `\nTo pay exactly this: ${asTyped('payouts create')} --publisher ${publisher} --group ${group}${only} --as-of ${asOf.toISOString()}`,
  );
}

/** @param printDone prints what cannot be undone by saying so again */
export async function createPayoutCommand(db: Db, options: PayoutOptions, printDone: Print): Promise<void> {
  const { publisher, group, currency = null, json } = options;
  const batches = await createPayout(db, publisher, group, currency, readAsOf(options));
  if (json) {
    printDone(toJson({ batches }));
    return;
  }
  if (batches.length === 0) printDone('Nobody is due: no payout was made.');
  for (const { batchId, currency, totalMinor, memberCount, rowCount, isNew } of batches) {
    printDone(
      `Payout ${batchId}: ${formatMinorUnits(totalMinor, currency)} ${currency} to ${memberCount} member(s) for ${rowCount} row(s)${isNew ? '' : ', made before'}.`,
    );
  }
}

export async function listPayoutsCommand(
  db: Db,
  options: { publisher: string; json?: boolean },
  print: Print,
): Promise<void> {
  const batches = await listPayouts(db, options.publisher, 1_000);
  if (options.json) print(toJson({ batches }));
  else if (batches.length === 0) print(`Publisher ${options.publisher} has no payouts.`);
  else {
    printTable(
      ['PAYOUT', 'GROUP', 'STATUS', 'CURRENCY', 'TOTAL', 'MEMBERS', 'ROWS', 'CREATED'],
      batches.map((batch) => [...summary(batch), batch.createdAt.toISOString()]),
      print,
    );
  }
}

export async function showPayoutCommand(
  db: Db,
  options: { publisher: string; json?: boolean },
  batchId: string,
  print: Print,
): Promise<void> {
  const batch = await getPayout(db, options.publisher, batchId);
  const items = await Array.fromAsync(payoutItems(db, options.publisher, batch.batchId));
  if (options.json) {
    print(toJson({ ...batch, items }));
    return;
  }
  const { status, currency, groupId, asOf } = batch;
  print(
    `Payout ${batch.batchId} of group ${groupId}: ${status}, ${formatMinorUnits(batch.totalMinor, currency)} ${currency}, as of ${asOf.toISOString()}\n`,
  );
  printTable(
    ['MEMBER', 'NAME', 'PLAYER', 'ROWS', 'EARNED', 'REWARDS', 'TAKEN BACK', 'AMOUNT'],
    items.map((item) => [
      item.memberId,
      item.name,
      item.playerId ?? '-',
      String(item.rowCount),
      formatMinorUnits(item.paymentsMinor, currency),
      formatMinorUnits(item.rewardsMinor, currency),
      formatMinorUnits(item.adjustmentsMinor, currency),
      formatMinorUnits(item.amountMinor, currency),
    ]),
    print,
  );
}

export async function balancesCommand(
  db: Db,
  options: { publisher: string; json?: boolean },
  print: Print,
): Promise<void> {
  const balances = await readBalances(db, options.publisher);
  if (options.json) print(toJson({ balances }));
  else if (balances.length === 0) print(`Publisher ${options.publisher} owes nobody anything.`);
  else {
    printTable(
      ['GROUP', 'MEMBER', 'NAME', 'CURRENCY', 'BALANCE'],
      balances.map((each) => [
        each.groupId,
        each.memberId,
        each.name,
        each.currency,
        formatMinorUnits(each.balanceMinor, each.currency),
      ]),
      print,
    );
  }
}

const meanings: Readonly<Record<ShareRule, string>> = {
  sent: 'memberSharePercent sent with the purchase',
  sku: 'share of the SKU',
  'scheduled-tier': "scheduled share of the member's tier",
  'scheduled-group': 'scheduled share of the group',
  tier: "share of the member's tier",
  group: 'default share of the group',
};

export async function explainCommand(
  db: Db,
  options: { publisher: string; json?: boolean },
  transactionId: string,
  print: Print,
): Promise<void> {
  const explanations = await explainShares(db, options.publisher, transactionId);
  if (options.json) {
    print(toJson(explanations));
    return;
  }
  for (const {
    attributionId,
    code,
    status,
    subtotalMinor,
    currency,
    offers,
    decided,
    state,
    isReversed,
  } of explanations) {
    print(
      `Row ${attributionId}: code ${code}, ${formatMinorUnits(subtotalMinor, currency)} ${currency}, ${status}`,
    );
    for (const { rule, offer } of offers) {
      const says =
        offer === null
          ? 'says nothing'
          : `${millionthsToPercent(offer.shareMillionths)} %${offer.source === null ? '' : ` (${offer.source})`}`;
      print(`  ${rule === decided.rule ? '→' : ' '} ${meanings[rule].padEnd(42)} ${says}`);
    }
    const percent = millionthsToPercent(decided.shareMillionths);
    print(
      `    ${subtotalMinor} × ${percent} % = ${decided.shareMinor} (minor units, rounded half-even): ${formatMinorUnits(decided.shareMinor, currency)} ${currency}`,
    );
    print(`    ${states[state]}${isReversed ? ', and taken back' : ''}\n`);
  }
}

const states = {
  settled: 'settled',
  waiting: 'not settled yet: this is what it would be now',
  test: 'a Test row: nothing is paid',
} as const;

const summary = ({
  batchId,
  groupId,
  status,
  currency,
  totalMinor,
  memberCount,
  rowCount,
}: PayoutBatch): string[] => [
  batchId,
  groupId,
  status,
  currency,
  formatMinorUnits(totalMinor, currency),
  String(memberCount),
  String(rowCount),
];

function readAsOf({ asOf }: PayoutOptions): Date | null {
  if (asOf === undefined) return null;
  const ms = parseTimestamp(asOf);
  if (ms === null) throw new OperatorError('--as-of must be a timestamp such as the preview prints.');
  return new Date(ms);
}

/** Amounts may be larger than a JSON number holds: they are strings in what commands print. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? String(each) : each));
