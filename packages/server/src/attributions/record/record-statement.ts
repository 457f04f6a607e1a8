import { violatedConstraint } from '../../platform/database/database-errors.ts';
import type { MembershipId, TierId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { nextTurn, toPieces } from '../../platform/work/in-pieces.ts';
import type { Programme } from '../../publishers/programmes.ts';
import { toEventText } from '../../webhooks/event-text.ts';
import { publishing } from '../../webhooks/publish-events.ts';
import { type AttributionRow, toTransactionEvent } from '../attribution-row.ts';

/** A row ready to be saved, with what it keeps of the moment it was recorded. */
export interface NewAttribution extends AttributionRow {
  membershipId: MembershipId;
  tierId: TierId | null;
  tierShareMillionths: number | null;
  skuShareMillionths: number | null;
  groupShareMillionths: number;
}

export type RecordOutcome =
  /** The transactionIds that are now saved; of the others nothing was. */
  | { kind: 'recorded'; claimed: ReadonlySet<string> }
  /** The programme has moved on: nothing was saved, prepare the rows again. */
  | { kind: 'outdated' };

type Column = readonly [
  name: string,
  type: string,
  read: (row: NewAttribution) => string | number | bigint | null,
];

const columns: readonly Column[] = [
  ['attribution_id', 'uuid', (row) => row.attributionId],
  ['transaction_id', 'text', (row) => quoted(row.transactionId)],
  ['split_index', 'smallint', (row) => row.splitIndex],
  ['group_id', 'text', (row) => quoted(row.groupId)],
  ['membership_id', 'uuid', (row) => row.membershipId],
  ['code', 'text', (row) => quoted(row.code)], // NULL is a fine code

  ['description', 'text', (row) => quoted(row.description)],
  ['status', 'text', (row) => row.status],
  ['is_test', 'boolean', (row) => (row.status === 'Test' ? 't' : 'f')],
  ['origin', 'text', (row) => row.origin],
  ['subtotal_minor', 'bigint', (row) => row.subtotalMinor],
  ['currency', 'text', (row) => row.currency],
  ['total_minor', 'bigint', (row) => row.totalMinor],
  ['total_currency', 'text', (row) => row.totalCurrency],
  ['transaction_date', 'timestamptz', (row) => row.transactionDate.toISOString()],
  ['platform', 'text', (row) => row.platform],
  ['player_id', 'text', (row) => quoted(row.playerId)],
  ['player_name', 'text', (row) => quoted(row.playerName)],
  ['sku_id', 'text', (row) => quoted(row.skuId)],
  ['metrics', 'jsonb', (row) => (row.metrics === null ? null : quoted(JSON.stringify(row.metrics)))],
  ['sent_share_millionths', 'integer', (row) => row.sentShareMillionths],
  ['sku_share_millionths', 'integer', (row) => row.skuShareMillionths],
  ['tier_id', 'uuid', (row) => row.tierId],
  ['tier_share_millionths', 'integer', (row) => row.tierShareMillionths],
  ['group_share_millionths', 'integer', (row) => row.groupShareMillionths],
];

const names = columns.map(([name]) => name).join(', ');
const entry = `
  entry as materialized (
    select *
    from unnest(${columns.map(([, type], index) => `$${index + 4}::${type}[]`).join(', ')}) as e (${names})
  )`;
const programme = `
  programme as materialized (
    select from publisher where publisher_id = $1 and programme_version = $2
  )`;

/** What was saved waits to be settled, as one entry of the queue; Test rows make no payment and do not. */
const queued = (saved: readonly string[]): string => `
  queued as (
    insert into unsettled (publisher_id, unsettled_id, attribution_ids)
    select $1, $3, array_agg(attribution_id)
    from (${saved.map((name) => `select attribution_id, is_test from ${name}`).join(' union all ')}) saved_rows
    where not is_test
    having count(*) > 0
  )`;

/**
 * One event a saved row. Only programmes with an endpoint that wants them pay for it, by this part of the
 * statement (docs/adr/0004-recording.md).
 */
const told = (claims: string): string => {
  const next = columns.length + 4;
  return `,
  said as (
    select s.event_id, 'Attribution/TransactionRecorded' as kind, s.event
    from unnest($${next}::uuid[], $${next + 1}::text[], $${next + 2}::text[]) as s (event_id, transaction_id, event)
    where s.transaction_id in (select transaction_id from ${claims})
  ), ${publishing('said', '$1')}`;
};

/**
 * Saves the purchases that nobody has saved before, each wholly or not at all, and leaves the others.
 * The row with split_index 0 is the claim: the insert waits for a concurrent one of the same purchase, and
 * only whoever got it in inserts the rest.
 */
const joined = (split: boolean, tells: boolean): string => `
  with ${programme}, ${entry},
  claimed as (
    insert into attribution (publisher_id, ${names})
    select $1, ${names} from entry, programme where split_index = 0
    on conflict on constraint attribution_claim do nothing
    returning transaction_id, attribution_id, is_test
  )${
    split
      ? `,
  others as (
    insert into attribution (publisher_id, ${names})
    select $1, ${names.replaceAll(/\b(attribution_id|is_test)\b/g, 'entry.$1')}
    from entry join claimed using (transaction_id) where split_index > 0
    returning attribution_id, is_test
  )`
      : ''
  }, ${queued(split ? ['claimed', 'others'] : ['claimed'])}${tells ? told('claimed') : ''}
  select exists (select from programme) as is_current, array(select transaction_id from claimed) as claimed`;

/** Saves every row, or fails with attribution_claim when one purchase was saved before. */
const alone = (tells: boolean): string => `
  with ${programme}, ${entry},
  saved as (
    insert into attribution (publisher_id, ${names})
    select $1, ${names} from entry, programme
    returning transaction_id, attribution_id, is_test
  ), ${queued(['saved'])}${tells ? told('saved') : ''}
  select exists (select from programme) as is_current, null as claimed`;

const statements = (tells: boolean) => {
  const suffix = tells ? '-and-tell' : '';
  return {
    joined: { name: `record-joined${suffix}`, text: joined(false, tells) },
    joinedSplits: { name: `record-joined-splits${suffix}`, text: joined(true, tells) },
    alone: { name: `record-alone${suffix}`, text: alone(tells) },
  } as const;
};
const silent = statements(false);
const telling = statements(true);

/** Runs a statement; by its name, planned once for each connection, or without. */
export type RunStatement = <Row extends object>(statement: {
  name: string;
  text: string;
  values: unknown[];
}) => Promise<{ rows: Row[] }>;

/**
 * One statement, one commit, for any number of rows of one publisher.
 * @param rows sorted by transactionId, so that concurrent statements take their claims in one order
 * @param together whether the rows are one request that is saved wholly, or fails with `isSavedBefore`
 * @param programme the one that the rows were prepared with
 */
export async function saveAttributions(
  run: RunStatement,
  { publisherId, version, tellsRecorded }: Programme,
  rows: readonly NewAttribution[],
  together: boolean,
): Promise<RecordOutcome> {
  const isSplit = rows.some(({ splitIndex }) => splitIndex > 0);
  const form = together ? 'alone' : isSplit ? 'joinedSplits' : 'joined';
  const { name, text } = (tellsRecorded ? telling : silent)[form];
  const values = [
    publisherId,
    version,
    newRowId(),
    ...(await arrayLiterals(publisherId, rows, tellsRecorded ? [...reads, ...events] : reads)),
  ];
  const result = await run<{ is_current: boolean; claimed: string[] | null }>({ name, text, values });
  const [answer] = result.rows;
  if (answer === undefined) throw new Error('the recording statement returned no row');
  if (!answer.is_current) return { kind: 'outdated' };
  return {
    kind: 'recorded',
    claimed: new Set(answer.claimed ?? rows.map(({ transactionId }) => transactionId)),
  };
}

/** What `together` fails with when one of its purchases was saved before. */
export const isSavedBefore = (error: unknown): boolean => violatedConstraint(error) === 'attribution_claim';

const events: readonly Column[2][] = [
  () => newRowId(),
  (row) => quoted(row.transactionId),
  (row) => quoted(toEventText(toTransactionEvent(row))),
];

const reads = columns.map(([, , read]) => read);

/** PostgreSQL's text form of arrays, one a column; the driver's own is several times slower on wide batches. */
async function arrayLiterals(
  publisherId: string,
  rows: readonly NewAttribution[],
  reads: readonly Column[2][],
): Promise<string[]> {
  const literals = reads.map(() => '');
  for (const [index, piece] of toPieces(rows).entries()) {
    if (index > 0) await nextTurn(publisherId);
    for (const [place, read] of reads.entries()) literals[place] += elements(piece, read, index > 0);
  }
  return literals.map((literal) => `{${literal}}`);
}

function elements(rows: readonly NewAttribution[], read: Column[2], follows: boolean): string {
  let elements = '';
  for (const [index, row] of rows.entries()) {
    if (follows || index > 0) elements += ',';
    elements += read(row) ?? 'NULL';
  }
  return elements;
}

const special = /["\\]/g;

/** Text as an array element. What is not quoted above is ours: ids, numbers, words of a fixed list. */
function quoted(text: string | null): string | null {
  return text === null ? null : `"${text.replace(special, '\\$&')}"`;
}
