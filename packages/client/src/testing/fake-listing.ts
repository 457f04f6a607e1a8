import { type Answer, problem } from './answers.ts';
import type { FakeRow } from './fake-rows.ts';

const statuses = ['normal', 'test', 'refund', 'fraud', 'chargeback'];

/** Answers a list of purchases. Cursors are positions, and filters by member compare with the row's member. */
export function listRows(rows: readonly FakeRow[], query: URLSearchParams): Answer {
  const text = (name: string) => query.get(name) || null;
  const wanted = query.getAll('status').flatMap((each) => each.toLowerCase().split(','));
  if (wanted.some((each) => !statuses.includes(each))) throw problem(400, 'InvalidStatus');
  const dateOf = (name: string): number | null => {
    const value = text(name);
    if (value !== null && Number.isNaN(Date.parse(value))) throw problem(400, 'InvalidDate');
    return value === null ? null : Date.parse(value);
  };
  const [start, end, since] = [dateOf('startDate'), dateOf('endDate'), dateOf('updatedSince')];
  const sort = text('sort') ?? 'transactionDate:desc';
  if (!/^transactionDate:(asc|desc)$/.test(sort)) throw problem(400, 'InvalidSort');
  const ids = query.getAll('transactionId');
  const [playerId, memberId, code, hasRefund] = ['playerId', 'memberId', 'code', 'hasRefund'].map(text);
  const found = rows.filter((row) => {
    const { transaction } = row;
    const at = Date.parse(transaction.transactionDate);
    return (
      (wanted.length === 0 || wanted.includes(transaction.status.toLowerCase())) &&
      (ids.length === 0 || ids.includes(transaction.transactionId)) &&
      (start === null || at >= start) &&
      (end === null || at <= end) &&
      (since === null || Date.parse(row.updatedAt) >= since) &&
      (playerId === null || transaction.memberPlayerId === playerId) &&
      (memberId === null || row.memberId === memberId) &&
      (code === null || transaction.code.toLowerCase() === code?.toLowerCase()) &&
      (hasRefund === null || String(row.refunded > 0) === hasRefund)
    );
  });
  const keyOf = (row: FakeRow) =>
    Date.parse(since === null ? row.transaction.transactionDate : row.updatedAt);
  const sign = since !== null || sort.endsWith('asc') ? 1 : -1;
  const sorted = found
    .map((row, index) => ({ row, index }))
    .toSorted((a, b) => sign * (keyOf(a.row) - keyOf(b.row) || a.index - b.index))
    .map(({ row }) => row);
  const page = text('page');
  const size = Number(text('pageSize') ?? 500);
  if (!(size >= 1 && size <= 1_000)) throw problem(400, 'InvalidPageSize');
  const position = page === null ? positionOf(text('cursor')) : (Number(page) - 1) * size;
  const isLast = position + size >= sorted.length;
  const withMeta = since !== null || text('include') === 'meta';
  return {
    status: 200,
    body: sorted.slice(position, position + size).map((row) => ({ transaction: shown(row, withMeta) })),
    headers: {
      ...(page === null && !isLast && { 'x-next-cursor': `fake-${position + size}` }),
      ...(page !== null && { 'x-total-count': String(sorted.length) }),
    },
  };
}

function positionOf(cursor: string | null): number {
  if (cursor === null) return 0;
  const [, position] = /^fake-(\d+)$/.exec(cursor) ?? [];
  if (position === undefined) throw problem(400, 'InvalidCursor');
  return Number(position);
}

/** Returns a row as it is shown after it was posted. */
export function shown(row: FakeRow, withMeta: boolean): object {
  const { transaction, memberId, refunded, createdAt, updatedAt } = row;
  const { memberSharePercent = 0 } = transaction;
  return {
    ...transaction,
    ...(transaction.status !== 'Test' && { memberShareAmount: row.share, memberSharePercent }),
    ...(withMeta && { groupId: 'main', memberId, refundedAmount: refunded, createdAt, updatedAt }),
  };
}
