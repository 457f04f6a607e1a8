import type { MembershipId, ScheduleId, TierId } from '../../platform/database/tables.generated.ts';
import { nextTurn, toPieces } from '../../platform/work/in-pieces.ts';
import type { DecidedShare } from '../../revenue-shares/resolve-share.ts';
import type { AttributionRow } from '../attribution-row.ts';

/** Row to save, with its share and the share that each rule offered at the time of recording. */
export interface NewAttribution extends AttributionRow {
  membershipId: MembershipId;
  usesPlayerCode: boolean;
  skuShareMillionths: number | null;
  scheduleId: ScheduleId | null;
  scheduledTierShareMillionths: number | null;
  scheduledShareMillionths: number | null;
  tierId: TierId | null;
  tierShareMillionths: number | null;
  groupShareMillionths: number;
  decided: DecidedShare & { shareMinor: bigint };
}

/** Function that reads a value from a row as an element of an array literal. */
export type Read = (row: NewAttribution) => string | number | bigint | null;

type Column = readonly [name: string, type: string, read: Read];

const requiredColumns: readonly Column[] = [
  ['attribution_id', 'uuid', (row) => row.attributionId],
  ['transaction_id', 'text', (row) => quoted(row.transactionId)],
  ['membership_id', 'uuid', (row) => row.membershipId],
  ['code', 'text', (row) => quoted(row.code)], // a code may be the text NULL
  ['description', 'text', (row) => quoted(row.description)],
  ['subtotal_minor', 'bigint', (row) => row.subtotalMinor],
  ['currency', 'text', (row) => row.currency],
  ['transaction_date', 'timestamptz', (row) => row.transactionDate.toISOString()],
  ['platform', 'text', (row) => row.platform],
  ['player_id', 'text', (row) => quoted(row.playerId)],
  ['tier_id', 'uuid', (row) => row.tierId],
  ['tier_share_millionths', 'integer', (row) => row.tierShareMillionths],
  ['group_share_millionths', 'integer', (row) => row.groupShareMillionths],
  ['share_rule', 'text', (row) => row.decided.rule],
  ['share_millionths', 'integer', (row) => row.decided.shareMillionths],
  ['share_minor', 'bigint', (row) => row.decided.shareMinor],
];

/**
 * Columns that most commits don't send. If all rows have the usual values, the columns are constants in the
 * statement.
 */
interface OptionalColumns {
  columns: readonly Column[];
  isUsual(row: NewAttribution, first: NewAttribution): boolean;
  /** Usual values of the columns, as SQL expressions. */
  usual: Readonly<Record<string, string>>;
}

/** Number of parameters before the row parameters: publisher, version and recording. */
const leadingParameters = 3;

/** Placeholder for the parameter that contains the group shared by all rows. */
const groupPlaceholder = 'the group';

/** Returns whether the total equals the subtotal. If it does, the total isn't stored. */
const totalEqualsSubtotal = (row: NewAttribution): boolean =>
  row.totalMinor === row.subtotalMinor && row.totalCurrency === row.currency;

const optionalColumns: readonly OptionalColumns[] = [
  {
    columns: [
      ['split_index', 'smallint', (row) => row.splitIndex],
      ['group_id', 'text', (row) => quoted(row.groupId)],
      ['status', 'text', (row) => row.status],
      ['is_test', 'boolean', (row) => (row.status === 'Test' ? 't' : 'f')],
    ],
    isUsual: (row, first) => row.splitIndex === 0 && row.status === 'Normal' && row.groupId === first.groupId,
    usual: { split_index: '0', group_id: groupPlaceholder, status: "'Normal'", is_test: 'false' },
  },
  {
    columns: [
      ['total_minor', 'bigint', (row) => (totalEqualsSubtotal(row) ? null : row.totalMinor)],
      ['total_currency', 'text', (row) => (totalEqualsSubtotal(row) ? null : row.totalCurrency)],
    ],
    isUsual: totalEqualsSubtotal,
    usual: { total_minor: 'null', total_currency: 'null' },
  },
  {
    columns: [
      ['sku_id', 'text', (row) => quoted(row.skuId)],
      ['sku_share_millionths', 'integer', (row) => row.skuShareMillionths],
    ],
    isUsual: (row) => row.skuId === null,
    usual: { sku_id: 'null', sku_share_millionths: 'null' },
  },
  {
    columns: [
      ['origin', 'text', (row) => row.origin],
      ['uses_player_code', 'boolean', (row) => (row.usesPlayerCode ? 't' : 'f')],
      ['player_name', 'text', (row) => quoted(row.playerName)],
      ['metrics', 'jsonb', (row) => (row.metrics === null ? null : quoted(JSON.stringify(row.metrics)))],
      ['sent_share_millionths', 'integer', (row) => row.sentShareMillionths],
      ['schedule_id', 'text', (row) => row.scheduleId],
      ['scheduled_tier_share_millionths', 'integer', (row) => row.scheduledTierShareMillionths],
      ['scheduled_share_millionths', 'integer', (row) => row.scheduledShareMillionths],
    ],
    isUsual: (row) =>
      row.origin === 'api' &&
      !row.usesPlayerCode &&
      row.playerName === null &&
      row.metrics === null &&
      row.sentShareMillionths === null &&
      row.scheduleId === null,
    usual: {
      origin: "'api'",
      uses_player_code: 'false',
      player_name: 'null',
      metrics: 'null',
      sent_share_millionths: 'null',
      schedule_id: 'null',
      scheduled_tier_share_millionths: 'null',
      scheduled_share_millionths: 'null',
    },
  },
];

/** Set of optional columns that a commit sends. There are sixteen shapes, each with its own statements. */
export interface Shape {
  /** Shape number, used in the names of its statements. */
  index: number;
  columns: readonly Column[];
  /**
   * True if rows may belong to several groups and may be part of splits. Otherwise, an additional parameter
   * contains the group.
   */
  isMixed: boolean;
  /** Names of the table's columns, except the publisher's id. */
  names: string;
  values: string;
  entries: string;
  /** Number of the first parameter after the row parameters. */
  nextParameter: number;
}

const shapes: readonly Shape[] = Array.from({ length: 2 ** optionalColumns.length }, (_, index) =>
  shapeOf(index),
);

function shapeOf(index: number): Shape {
  const columns = [...requiredColumns];
  const usual: [string, string][] = [];
  for (const [place, each] of optionalColumns.entries()) {
    if (isSent(index, place)) columns.push(...each.columns);
    else usual.push(...Object.entries(each.usual));
  }
  const names = columns.map(([name]) => name);
  const isMixed = isSent(index, 0);
  const afterArrays = columns.length + leadingParameters + 1;
  const arrays = columns.map(
    ([name, type], place) => `unnest($${place + leadingParameters + 1}::${type}[]) as ${name}`,
  );
  return {
    index,
    columns,
    isMixed,
    names: [...names, ...usual.map(([name]) => name)].join(', '),
    values: [
      ...names,
      ...usual.map(([, value]) => (value === groupPlaceholder ? `$${afterArrays}` : value)),
    ].join(', '),
    entries: `(select ${arrays.join(', ')}) as entry`,
    nextParameter: isMixed ? afterArrays : afterArrays + 1,
  };
}

function isSent(shape: number, place: number): boolean {
  return (shape & (1 << place)) !== 0;
}

export function shapeFor(rows: readonly NewAttribution[]): Shape {
  const [first] = rows;
  let index = 0;
  for (const [place, { isUsual }] of optionalColumns.entries())
    if (first !== undefined && !rows.every((row) => isUsual(row, first))) index |= 1 << place;
  const shape = shapes[index];
  if (shape === undefined) throw new Error('unknown row shape');
  return shape;
}

/**
 * Returns PostgreSQL array literals, one per column. The driver's own conversion is several times slower for
 * wide batches.
 */
export async function arrayLiterals(
  publisherId: string,
  rows: readonly NewAttribution[],
  reads: readonly Read[],
): Promise<string[]> {
  const literals = reads.map(() => '');
  for (const [index, piece] of toPieces(rows).entries()) {
    if (index > 0) await nextTurn(publisherId);
    for (const [place, read] of reads.entries()) literals[place] += elements(piece, read, index > 0);
  }
  return literals.map((literal) => `{${literal}}`);
}

function elements(rows: readonly NewAttribution[], read: Read, follows: boolean): string {
  let elements = '';
  for (const [index, row] of rows.entries()) {
    if (follows || index > 0) elements += ',';
    elements += read(row) ?? 'NULL';
  }
  return elements;
}

const special = /["\\]/g;

/**
 * Quotes text as an array element. The other values are ids, numbers and words from fixed lists, which need
 * no quotes.
 */
export function quoted(text: string | null): string | null {
  return text === null ? null : `"${text.replace(special, '\\$&')}"`;
}
