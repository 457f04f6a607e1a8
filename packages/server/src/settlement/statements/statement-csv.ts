import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { referenceOfRow } from '../../attributions/row-reference.ts';
import { type Cell, csvLine } from '../../platform/csv.ts';
import type { Db } from '../../platform/database/database.ts';
import { formatMinorUnits, shiftToMajorUnits } from '../../platform/money.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { exactShare } from '../../revenue-shares/round-share.ts';
import type { Separately } from '../payouts/month/read-statements.ts';
import { readLines } from './read-lines.ts';
import type { Statement, StatementPayout } from './statement.ts';
import type { LineArithmetic, StatementLine } from './statement-line.ts';

const columns = [
  ...['kind', 'bookedAt', 'reference', 'currency', 'amount', 'amountMinor'],
  ...['code', 'product', 'purchasedAt', 'subtotal', 'sharePercent', 'rule', 'exactShare', 'share'],
  ...['payout', 'state', 'paidAt'],
] as const;

/**
 * Streams the lines of a statement as CSV. The amounts from the opening balance to the last line add up to the closing balance.
 * Neither the buyers nor the ids of their purchases are contained; a line has a reference, by which the publisher's
 * support finds the purchase.
 */
export const exportStatement = (
  db: Db,
  { statement, separately = (work) => work() }: { statement: Statement; separately?: Separately },
  output: Writable,
): Promise<void> => pipeline(Readable.from(lines(db, statement, separately)), output, { end: false });

async function* lines(db: Db, statement: Statement, separately: Separately): AsyncGenerator<string> {
  yield csvLine(columns.map((text) => ({ text })));
  yield csvLine(cells(statement, { kind: 'opening', amountMinor: statement.openingMinor }));
  for await (const page of readLines(db, statement, separately))
    yield page.map((line) => csvLine(lineCells(statement, line))).join('');
  if (statement.claimedMinor !== 0n)
    yield csvLine(cells(statement, { kind: 'claimed', amountMinor: statement.claimedMinor }));
  for (const payout of statement.payouts)
    yield payoutLines(payout)
      .map((line) => csvLine(cells(statement, { ...line, payout })))
      .join('');
  yield csvLine(cells(statement, { kind: 'closing', amountMinor: statement.closingMinor }));
}

/** Returns the movements of a payout. A payout of an earlier month that was paid in this one moved nothing. */
function payoutLines({
  toPayoutMinor,
  fromPayoutMinor,
}: StatementPayout): { kind: string; amountMinor: bigint }[] {
  const moved = [
    { kind: 'toPayouts', amountMinor: toPayoutMinor },
    { kind: 'fromPayouts', amountMinor: fromPayoutMinor },
  ].filter(({ amountMinor }) => amountMinor !== 0n);
  return moved.length > 0 ? moved : [{ kind: 'toPayouts', amountMinor: 0n }];
}

const lineCells = (statement: Statement, line: StatementLine): Cell[] =>
  cells(statement, {
    kind: line.kind,
    amountMinor: line.amountMinor,
    at: line.at,
    reference: line.rowId && referenceOfRow(line.rowId),
    purchase: line.purchase,
  });

interface CsvLine {
  kind: string;
  amountMinor: bigint;
  at?: Date;
  reference?: string | null;
  purchase?: LineArithmetic | null;
  payout?: StatementPayout;
}

function cells({ currency }: Statement, line: CsvLine): Cell[] {
  const { kind, amountMinor, at, reference, purchase = null, payout } = line;
  const figure = (text: string | undefined): Cell => ({ figure: text ?? null });
  const major = (minor: bigint): string => formatMinorUnits(minor, currency);
  return [
    figure(kind),
    figure(at?.toISOString()),
    figure(reference ?? payout?.reference),
    figure(currency),
    figure(major(amountMinor)),
    figure(String(amountMinor)),
    ...(purchase === null
      ? Array.from({ length: 8 }, () => figure(undefined))
      : [
          { exactId: purchase.code },
          { exactId: purchase.skuId },
          figure(purchase.purchasedAt.toISOString()),
          figure(major(purchase.subtotalMinor)),
          figure(String(millionthsToPercent(purchase.shareMillionths))),
          figure(purchase.rule),
          figure(shiftToMajorUnits(exactShare(purchase.subtotalMinor, purchase.shareMillionths), currency)),
          figure(major(purchase.shareMinor)),
        ]),
    figure(payout && String(payout.number)),
    figure(payout?.state),
    figure(payout?.paidAt?.toISOString()),
  ];
}
