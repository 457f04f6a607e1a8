import { byteOrderMark, type Cell, csvLine } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/database/database.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { type ZippedFile, zip } from '../../../platform/zip.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import { describeMonth, describeProof } from './describe-month.ts';
import type { MonthSpan } from './month-span.ts';
import { MonthSums } from './month-sums.ts';
import { readMonthClawbacks } from './read-month-clawbacks.ts';
import { readMonthItems } from './read-month-items.ts';
import { readMonthProof } from './read-month-proof.ts';
import { type Movements, readStatements, type Separately } from './read-statements.ts';

/**
 * Yields a month's statements, payouts, clawbacks, balances and ledger proof as one ZIP file, a page at a time. Every
 * read covers the same span of entries, which no longer changes, so no snapshot stays open during a download.
 */
export const bundleMonth = (
  db: Db,
  span: MonthSpan,
  separately: Separately = (work) => work(),
): AsyncGenerator<Uint8Array> =>
  // A past month's file always has the date of the month's last day.
  zip(filesOf(db, span, separately), laterBy(span.asOf, -1));

function* filesOf(db: Db, span: MonthSpan, separately: Separately): Generator<ZippedFile> {
  const sums = new MonthSums(span);
  yield { name: 'statements.csv', pieces: statements(db, sums, separately) };
  yield { name: 'payouts.csv', pieces: payouts(db, sums, separately) };
  yield { name: 'clawbacks.csv', pieces: clawbacks(db, sums, separately) };
  yield { name: 'balances.csv', pieces: balances(db, sums, separately) };
  yield { name: 'summary.csv', pieces: summary(sums) };
  yield { name: 'ledger-proof.txt', pieces: proof(db, sums, separately) };
  yield { name: 'README.txt', pieces: readMe(sums) };
}

async function* statements(db: Db, sums: MonthSums, separately: Separately): AsyncGenerator<string> {
  yield head(['group', 'memberId', 'playerId', 'name', 'currency', ...movementColumns, 'closingMinor']);
  for await (const page of readStatements(db, sums.span, separately)) {
    for (const statement of page) sums.addStatement(statement);
    yield page
      .map(({ groupId, memberId, playerId, name, currency, ...movements }) =>
        csvLine([
          { exactId: groupId },
          { exactId: memberId },
          { exactId: playerId },
          { text: name },
          { figure: currency },
          ...movementCells(movements, currency),
          { figure: String(movements.closingMinor) },
        ]),
      )
      .join('');
  }
}

async function* payouts(db: Db, sums: MonthSums, separately: Separately): AsyncGenerator<string> {
  yield head([
    'payout',
    'status',
    'group',
    'createdAt',
    'paidAt',
    'canceledAt',
    'memberId',
    'playerId',
    'name',
    'currency',
    'amount',
    'amountMinor',
    'rows',
    'payments',
    'rewards',
    'adjustments',
    'booked',
    'reference',
    'result',
  ]);
  const { asOf } = sums.span;
  const before = (at: Date | null): Cell => ({ figure: at !== null && at < asOf ? at.toISOString() : null });
  for await (const page of readMonthItems(db, sums.span, separately)) {
    for (const { payout, bookedMinor } of page) sums.addBooked(payout.currency, bookedMinor);
    yield page
      .map(({ payout: { batchId, groupId, currency, createdAt, paidAt, cancelledAt }, ...item }) =>
        csvLine([
          { figure: batchId },
          { figure: item.status },
          { exactId: groupId },
          before(createdAt),
          before(paidAt),
          before(cancelledAt),
          { exactId: item.memberId },
          { exactId: item.playerId },
          { text: item.name },
          { figure: currency },
          major(item.amountMinor, currency),
          { figure: String(item.amountMinor) },
          { figure: String(item.rowCount) },
          major(item.paymentsMinor, currency),
          major(item.rewardsMinor, currency),
          major(item.adjustmentsMinor, currency),
          major(item.bookedMinor, currency),
          { figure: item.reference },
          { figure: item.result },
        ]),
      )
      .join('');
  }
}

async function* clawbacks(db: Db, sums: MonthSums, separately: Separately): AsyncGenerator<string> {
  yield head([
    'time',
    'group',
    'memberId',
    'name',
    'currency',
    'amount',
    'amountMinor',
    'transactionId',
    'row',
    'status',
    'deductedByPayout',
  ]);
  for await (const page of readMonthClawbacks(db, sums.span, separately)) {
    for (const { currency, amountMinor } of page) sums.addClawback(currency, -amountMinor);
    yield page
      .map(({ currency, amountMinor, ...clawback }) =>
        csvLine([
          { figure: clawback.at.toISOString() },
          { exactId: clawback.groupId },
          { exactId: clawback.memberId },
          { text: clawback.name },
          { figure: currency },
          major(-amountMinor, currency),
          { figure: String(-amountMinor) },
          { exactId: clawback.transactionId },
          { figure: clawback.rowId },
          { figure: clawback.status },
          { figure: clawback.payoutId },
        ]),
      )
      .join('');
  }
}

/** Reads the statements again instead of holding every member's balance in memory. */
async function* balances(db: Db, sums: MonthSums, separately: Separately): AsyncGenerator<string> {
  yield head(['group', 'memberId', 'playerId', 'name', 'currency', 'balance', 'balanceMinor']);
  for await (const page of readStatements(db, sums.span, separately)) {
    const open = page.filter(({ closingMinor }) => closingMinor !== 0n);
    for (const { currency, closingMinor } of open) sums.addBalance(currency, closingMinor);
    yield open
      .map(({ groupId, memberId, playerId, name, currency, closingMinor }) =>
        csvLine([
          { exactId: groupId },
          { exactId: memberId },
          { exactId: playerId },
          { text: name },
          { figure: currency },
          major(closingMinor, currency),
          { figure: String(closingMinor) },
        ]),
      )
      .join('');
  }
}

function* summary(sums: MonthSums): Generator<string> {
  yield head([
    'group',
    'currency',
    'creators',
    ...movementColumns,
    'closingMinor',
    'owed',
    'creatorsOwed',
    'owing',
    'creatorsOwing',
  ]);
  for (const { groupId, currency, ...sum } of sums.byGroup())
    yield csvLine([
      { exactId: groupId },
      { figure: currency },
      { figure: String(sum.memberCount) },
      ...movementCells(sum, currency),
      { figure: String(sum.closingMinor) },
      major(sum.owedMinor, currency),
      { figure: String(sum.owedCount) },
      major(sum.owingMinor, currency),
      { figure: String(sum.owingCount) },
    ]);
}

async function* proof(db: Db, sums: MonthSums, separately: Separately): AsyncGenerator<string> {
  yield describeProof(sums, await separately(() => readMonthProof(db, sums.span)));
}

/** This file comes last because it contains the sums of the others. */
function* readMe(sums: MonthSums): Generator<string> {
  yield describeMonth(sums);
}

const movementColumns = ['opening', 'earned', 'reversed', 'clawedBack', 'bounties', 'paid', 'closing'];

const movementCells = (sum: Movements, currency: string): Cell[] =>
  [
    sum.openingMinor,
    sum.earnedMinor,
    sum.reversedMinor,
    sum.clawedBackMinor,
    sum.bountiesMinor,
    sum.paidMinor,
    sum.closingMinor,
  ].map((minor) => major(minor, currency));

const major = (minor: bigint, currency: string): Cell => ({ figure: formatMinorUnits(minor, currency) });

const head = (names: readonly string[]): string =>
  byteOrderMark + csvLine(names.map((name) => ({ text: name })));
