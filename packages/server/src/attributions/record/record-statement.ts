import { violatedConstraint } from '../../platform/database/database-errors.ts';
import type { RecordingId } from '../../platform/database/tables.generated.ts';
import { newDatedId } from '../../platform/dated-ids.ts';
import type { Program } from '../../publishers/programs.ts';
import { toEventText } from '../../webhooks/event-text.ts';
import { publishing } from '../../webhooks/publish-events.ts';
import { toTransactionEvent } from '../attribution-row.ts';
import {
  arrayLiterals,
  type NewAttribution,
  quoted,
  type Read,
  type Shape,
  shapeFor,
} from './record-columns.ts';
import type { TracedRecording } from './trace-recording.ts';

export type RecordOutcome =
  /** Ids of the purchases that were saved; null if all of them were saved. */
  | { kind: 'recorded'; savedIds: ReadonlySet<string> | null }
  /** The program has changed. No row was saved, and the rows must be prepared again. */
  | { kind: 'outdated' };

const programPart = `
  program as materialized (
    select 1 from publisher where publisher_id = $1 and programme_version = $2
  )`;

/** Enqueues the commit for posting (one queue row per commit, because row ids contain the commit's id). */
const enqueuePart = (saved: readonly string[]): string => `
  queued as (
    insert into unposted (publisher_id, recording_id, row_count)
    select $1, $3, count(*)
    from (${saved.map((name) => `select 1 from ${name}`).join(' union all ')}) saved_rows
    having count(*) > 0
  )`;

/**
 * Publishes one event per saved row. A statement includes this part only if the publisher has an endpoint for
 * these events (docs/adr/0004-recording.md).
 */
const eventsPart = ({ nextParameter: next }: Shape, claims: string): string => `,
  said as (
    select s.event_id, 'Attribution/TransactionRecorded' as kind, s.event
    from unnest($${next}::uuid[], $${next + 1}::text[], $${next + 2}::text[]) as s (event_id, transaction_id, event)
    where s.transaction_id in (select transaction_id from ${claims})
  ), ${publishing('said', '$1')}`;

/** Saves every row. Fails on the constraint attribution_claim if one of the purchases was already saved. */
const whole = (shape: Shape, publishes: boolean): string => `
  with ${programPart},
  saved as (
    insert into attribution (publisher_id, ${shape.names})
    select $1, ${shape.values} from ${shape.entries}, program
    returning ${publishes ? 'transaction_id' : '1'}
  ), ${enqueuePart(['saved'])}${publishes ? eventsPart(shape, 'saved') : ''}
  select exists (select 1 from program) as is_current, null as claimed`;

/**
 * Saves each purchase as a whole unless it was already saved. The row with split_index 0 is the purchase key.
 * Its insert waits for a concurrent insert of the same purchase, and only the statement that inserts the key
 * inserts the other rows.
 */
const unlessSaved = (shape: Shape, publishes: boolean): string => `
  with ${programPart},
  entry as materialized (
    select * from ${shape.entries}
  ),
  claimed as (
    insert into attribution (publisher_id, ${shape.names})
    select $1, ${shape.values} from entry, program${shape.isMixed ? ' where split_index = 0' : ''}
    on conflict on constraint attribution_claim do nothing
    returning transaction_id
  )${
    shape.isMixed
      ? `,
  others as (
    insert into attribution (publisher_id, ${shape.names})
    select $1, ${shape.values} from entry join claimed using (transaction_id) where split_index > 0
    returning 1
  )`
      : ''
  }, ${enqueuePart(shape.isMixed ? ['claimed', 'others'] : ['claimed'])}${publishes ? eventsPart(shape, 'claimed') : ''}
  select exists (select 1 from program) as is_current, array(select transaction_id from claimed) as claimed`;

interface Statement {
  name: string;
  text: string;
}

const statements = new Map<string, Statement>();

/**
 * Returns the statement for a shape, built on first use. A process rarely needs more than a few statements.
 */
function statementFor(shape: Shape, mode: Recording['mode'], publishes: boolean): Statement {
  const name = `record-${mode}-${shape.index}${publishes ? '-with-events' : ''}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const statement = { name, text: (mode === 'whole' ? whole : unlessSaved)(shape, publishes) };
  statements.set(name, statement);
  return statement;
}

export interface Recording {
  recordingId: RecordingId;
  /** Sorted by transactionId, so that concurrent statements insert purchase keys in the same order. */
  rows: readonly NewAttribution[];
  /**
   * `whole`: saves everything or fails with `isSavedBefore`, which costs a third less than checking each
   * purchase. `unless-saved`: saves each purchase that isn't saved yet.
   */
  mode: 'whole' | 'unless-saved';
  traced: TracedRecording | null;
}

export type RunStatement = <Row extends object>(statement: {
  name: string;
  text: string;
  values: unknown[];
}) => Promise<{ rows: Row[] }>;

/**
 * Saves any number of one publisher's rows in one statement and one commit.
 * @param program the program that the rows were prepared with
 */
export async function saveAttributions(
  run: RunStatement,
  { publisherId, version, sendsRecorded }: Program,
  { recordingId, rows, mode, traced }: Recording,
): Promise<RecordOutcome> {
  const shape = shapeFor(rows);
  const reads = shape.columns.map(([, , read]) => read);
  const { name, text } = statementFor(shape, mode, sendsRecorded);
  const values = [
    publisherId,
    version,
    recordingId,
    ...(await arrayLiterals(publisherId, rows, reads)),
    ...(shape.isMixed ? [] : [rows[0]?.groupId]),
    ...(sendsRecorded
      ? await arrayLiterals(publisherId, rows, traced === null ? events : tracedEvents(traced))
      : []),
  ];
  const result = await run<{ is_current: boolean; claimed: string[] | null }>({ name, text, values });
  const [answer] = result.rows;
  if (answer === undefined) throw new Error('the recording statement returned no row');
  if (!answer.is_current) return { kind: 'outdated' };
  return { kind: 'recorded', savedIds: answer.claimed === null ? null : new Set(answer.claimed) };
}

/** Returns whether a `whole` recording failed because one of its purchases was already saved. */
export const isSavedBefore = (error: unknown): boolean => violatedConstraint(error) === 'attribution_claim';

const eventsBy = (eventId: Read): readonly Read[] => [
  eventId,
  (row) => quoted(row.transactionId),
  (row) => quoted(toEventText(toTransactionEvent(row))),
];
const events = eventsBy(() => newDatedId());
const tracedEvents = (traced: TracedRecording): readonly Read[] =>
  eventsBy((row) => traced.eventId(row, newDatedId()));
