import type { MembershipId, ScheduleId, TierId } from '../../platform/database/tables.generated.ts';
import { nextTurn, toPieces } from '../../platform/work/in-pieces.ts';
import type { DecidedShare } from '../../revenue-shares/resolve-share.ts';
import type { AttributionRow } from '../attribution-row.ts';

/** A row ready to be saved, with its share, and what every rule offered in the moment it was recorded. */
export interface NewAttribution extends AttributionRow {
  membershipId: MembershipId;
  skuShareMillionths: number | null;
  scheduleId: ScheduleId | null;
  scheduledTierShareMillionths: number | null;
  scheduledShareMillionths: number | null;
  tierId: TierId | null;
  tierShareMillionths: number | null;
  groupShareMillionths: number;
  decided: DecidedShare & { shareMinor: bigint };
}

/** A value as an element of an array's text. */
export type Read = (row: NewAttribution) => string | number | bigint | null;

type Column = readonly [name: string, type: string, read: Read];

/** What is sent for every row. */
const always: readonly Column[] = [
  ['attribution_id', 'uuid', (row) => row.attributionId],
  ['transaction_id', 'text', (row) => quoted(row.transactionId)],
  ['membership_id', 'uuid', (row) => row.membershipId],
  ['code', 'text', (row) => quoted(row.code)], // NULL is a fine code
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

/** Columns that most commits have no need to send: as long as all their rows are as usual, the statement itself says what they are. */
interface Seldom {
  columns: readonly Column[];
  isUsual(row: NewAttribution, first: NewAttribution): boolean;
  /** What the columns are then, in SQL. */
  usual: Readonly<Record<string, string>>;
}

/** The publisher, the version, the recording. */
const parametersBefore = 3;

/** Stands for the parameter that holds the group of all rows. */
const ofGroup = 'the group';

/** Whether the total says nothing that the subtotal does not; then it is not stored. */
const isSubtotal = (row: NewAttribution): boolean =>
  row.totalMinor === row.subtotalMinor && row.totalCurrency === row.currency;

const seldom: readonly Seldom[] = [
  {
    columns: [
      ['split_index', 'smallint', (row) => row.splitIndex],
      ['group_id', 'text', (row) => quoted(row.groupId)],
      ['status', 'text', (row) => row.status],
      ['is_test', 'boolean', (row) => (row.status === 'Test' ? 't' : 'f')],
    ],
    isUsual: (row, first) => row.splitIndex === 0 && row.status === 'Normal' && row.groupId === first.groupId,
    usual: { split_index: '0', group_id: ofGroup, status: "'Normal'", is_test: 'false' },
  },
  {
    columns: [
      ['total_minor', 'bigint', (row) => (isSubtotal(row) ? null : row.totalMinor)],
      ['total_currency', 'text', (row) => (isSubtotal(row) ? null : row.totalCurrency)],
    ],
    isUsual: isSubtotal,
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
      ['player_name', 'text', (row) => quoted(row.playerName)],
      ['metrics', 'jsonb', (row) => (row.metrics === null ? null : quoted(JSON.stringify(row.metrics)))],
      ['sent_share_millionths', 'integer', (row) => row.sentShareMillionths],
      ['schedule_id', 'text', (row) => row.scheduleId],
      ['scheduled_tier_share_millionths', 'integer', (row) => row.scheduledTierShareMillionths],
      ['scheduled_share_millionths', 'integer', (row) => row.scheduledShareMillionths],
    ],
    isUsual: (row) =>
      row.playerName === null &&
      row.metrics === null &&
      row.sentShareMillionths === null &&
      row.scheduleId === null,
    usual: {
      player_name: 'null',
      metrics: 'null',
      sent_share_millionths: 'null',
      schedule_id: 'null',
      scheduled_tier_share_millionths: 'null',
      scheduled_share_millionths: 'null',
    },
  },
];

/** Which of the columns that are seldom sent a commit sends: there are sixteen shapes, and statements for each. */
export interface Shape {
  /** The shape's number, for the names of its statements. */
  index: number;
  columns: readonly Column[];
  /** Whether rows may be of several groups, and several of one purchase. Else one parameter more says of which group. */
  isMixed: boolean;
  /** The table's columns, but for the publisher's id. */
  names: string;
  /** What they are, in terms of `entry`. */
  values: string;
  /** The rows, as a relation that can be named `entry`. */
  entries: string;
  /** The first parameter after those of the rows. */
  nextParameter: number;
}

const shapes: readonly Shape[] = Array.from({ length: 2 ** seldom.length }, (_, index) => shapeOf(index));

function shapeOf(index: number): Shape {
  const columns = [...always];
  const usual: [string, string][] = [['origin', "'api'"]];
  for (const [place, each] of seldom.entries()) {
    if (isSent(index, place)) columns.push(...each.columns);
    else usual.push(...Object.entries(each.usual));
  }
  const names = columns.map(([name]) => name);
  const isMixed = isSent(index, 0);
  const afterArrays = columns.length + parametersBefore + 1;
  const arrays = columns.map(
    ([name, type], place) => `unnest($${place + parametersBefore + 1}::${type}[]) as ${name}`,
  );
  return {
    index,
    columns,
    isMixed,
    names: [...names, ...usual.map(([name]) => name)].join(', '),
    values: [...names, ...usual.map(([, value]) => (value === ofGroup ? `$${afterArrays}` : value))].join(
      ', ',
    ),
    entries: `(select ${arrays.join(', ')}) as entry`,
    nextParameter: isMixed ? afterArrays : afterArrays + 1,
  };
}

function isSent(shape: number, place: number): boolean {
  return (shape & (1 << place)) !== 0;
}

/** The shape that sends no more than rows need. */
export function shapeFor(rows: readonly NewAttribution[]): Shape {
  const [first] = rows;
  let index = 0;
  for (const [place, { isUsual }] of seldom.entries())
    if (first !== undefined && !rows.every((row) => isUsual(row, first))) index |= 1 << place;
  const shape = shapes[index];
  if (shape === undefined) throw new Error('rows have a shape that is none');
  return shape;
}

/** PostgreSQL's text form of arrays, one a column; the driver's own is several times slower on wide batches. */
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

/** Text as an array element. What is not quoted above is ours: ids, numbers, words of a fixed list. */
export function quoted(text: string | null): string | null {
  return text === null ? null : `"${text.replace(special, '\\$&')}"`;
}
