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
  /** The transactionIds that are now saved, null for all; of the others nothing was. */
  | { kind: 'recorded'; claimed: ReadonlySet<string> | null }
  /** The program has moved on: nothing was saved, prepare the rows again. */
  | { kind: 'outdated' };

const program = `
  program as materialized (
    select 1 from publisher where publisher_id = $1 and programme_version = $2
  )`;

/** What was saved waits to be posted, as one entry of the queue; its rows' ids tell that they are of it. */
const queued = (saved: readonly string[]): string => `
  queued as (
    insert into unposted (publisher_id, recording_id, row_count)
    select $1, $3, count(*)
    from (${saved.map((name) => `select 1 from ${name}`).join(' union all ')}) saved_rows
    having count(*) > 0
  )`;

/**
 * One event a saved row. Only programs with an endpoint that wants them pay for it, by this part of the
 * statement (docs/adr/0004-recording.md).
 */
const told = ({ nextParameter: next }: Shape, claims: string): string => `,
  said as (
    select s.event_id, 'Attribution/TransactionRecorded' as kind, s.event
    from unnest($${next}::uuid[], $${next + 1}::text[], $${next + 2}::text[]) as s (event_id, transaction_id, event)
    where s.transaction_id in (select transaction_id from ${claims})
  ), ${publishing('said', '$1')}`;

/** Saves every row, or fails with attribution_claim when one purchase was saved before. */
const whole = (shape: Shape, tells: boolean): string => `
  with ${program},
  saved as (
    insert into attribution (publisher_id, ${shape.names})
    select $1, ${shape.values} from ${shape.entries}, program
    returning ${tells ? 'transaction_id' : '1'}
  ), ${queued(['saved'])}${tells ? told(shape, 'saved') : ''}
  select exists (select 1 from program) as is_current, null as claimed`;

/**
 * Saves the purchases that nobody has saved before, each wholly or not at all, and leaves the others.
 * The row with split_index 0 is the claim: the insert waits for a concurrent one of the same purchase, and
 * only whoever got it in inserts the rest.
 */
const unlessSaved = (shape: Shape, tells: boolean): string => `
  with ${program},
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
  }, ${queued(shape.isMixed ? ['claimed', 'others'] : ['claimed'])}${tells ? told(shape, 'claimed') : ''}
  select exists (select 1 from program) as is_current, array(select transaction_id from claimed) as claimed`;

interface Statement {
  name: string;
  text: string;
}

const statements = new Map<string, Statement>();

/** Written when it is first needed: seldom are there more than a few of them. */
function statementFor(shape: Shape, manner: Recording['manner'], tells: boolean): Statement {
  const name = `record-${manner}-${shape.index}${tells ? '-and-tell' : ''}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const statement = { name, text: (manner === 'whole' ? whole : unlessSaved)(shape, tells) };
  statements.set(name, statement);
  return statement;
}

/** What one commit records. */
export interface Recording {
  /** Whose the rows' ids are. */
  recordingId: RecordingId;
  /** Sorted by transactionId, so that concurrent statements take their claims in one order. */
  rows: readonly NewAttribution[];
  /**
   * whole: everything, or it fails with `isSavedBefore`, which costs a third less than to look for each purchase.
   * unless-saved: each purchase that was not saved before.
   */
  manner: 'whole' | 'unless-saved';
  traced: TracedRecording | null;
}

/** Runs a statement; by its name, planned once for each connection, or without. */
export type RunStatement = <Row extends object>(statement: {
  name: string;
  text: string;
  values: unknown[];
}) => Promise<{ rows: Row[] }>;

/**
 * One statement, one commit, for any number of rows of one publisher.
 * @param program the one that the rows were prepared with
 */
export async function saveAttributions(
  run: RunStatement,
  { publisherId, version, tellsRecorded }: Program,
  { recordingId, rows, manner, traced }: Recording,
): Promise<RecordOutcome> {
  const shape = shapeFor(rows);
  const reads = shape.columns.map(([, , read]) => read);
  const { name, text } = statementFor(shape, manner, tellsRecorded);
  const values = [
    publisherId,
    version,
    recordingId,
    ...(await arrayLiterals(publisherId, rows, reads)),
    ...(shape.isMixed ? [] : [rows[0]?.groupId]),
    ...(tellsRecorded
      ? await arrayLiterals(publisherId, rows, traced === null ? events : tracedEvents(traced))
      : []),
  ];
  const result = await run<{ is_current: boolean; claimed: string[] | null }>({ name, text, values });
  const [answer] = result.rows;
  if (answer === undefined) throw new Error('the recording statement returned no row');
  if (!answer.is_current) return { kind: 'outdated' };
  return { kind: 'recorded', claimed: answer.claimed === null ? null : new Set(answer.claimed) };
}

/** What recording `whole` fails with when one of the purchases was saved before. */
export const isSavedBefore = (error: unknown): boolean => violatedConstraint(error) === 'attribution_claim';

const eventsBy = (eventId: Read): readonly Read[] => [
  eventId,
  (row) => quoted(row.transactionId),
  (row) => quoted(toEventText(toTransactionEvent(row))),
];
const events = eventsBy(() => newDatedId());
const tracedEvents = (traced: TracedRecording): readonly Read[] =>
  eventsBy((row) => traced.eventId(row, newDatedId()));
