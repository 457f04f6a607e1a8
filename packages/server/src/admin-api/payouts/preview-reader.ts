import { sql } from 'kysely';
import { AnswerCache, type Weighed } from '../../platform/answer-cache.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { unavailable } from '../../platform/refusal.ts';
import { FairTurns } from '../../platform/work/fair-turns.ts';
import type { PayoutRequest } from '../../settlement/payouts/create/plan-payout.ts';
import { type Preview, readPreview } from '../../settlement/payouts/read/read-preview.ts';

/**
 * Maximum concurrent previews. A preview of a million rows occupies a connection for seconds, and settlement
 * needs connections too.
 */
const maxConcurrentPreviews = 2;
const maxWaitingPreviews = 50;
const maxWaitMs = 5_000;
/**
 * Minimum weight (rows and members) for a preview to be cached. Reading a lighter preview takes only tens of
 * milliseconds.
 */
const heavyPreview = 20_000;
/** Maximum cached previews. A preview of ten thousand members takes a few megabytes. */
const maxCachedPreviews = 8;

/** Reads previews for all operations of this process, a few at a time. */
export type ReadPreview = (request: PayoutRequest) => Promise<Preview>;

/** Returns a function that reads previews in turn and caches the slow ones. */
export function previewReader({ db, background }: Pick<Database, 'db' | 'background'>): ReadPreview {
  const turns = new FairTurns({ maxRunning: maxConcurrentPreviews, maxWaiting: maxWaitingPreviews });
  const previews = new AnswerCache<Preview>(heavyPreview, maxCachedPreviews);
  return async (request) => {
    const { publisherId, groupId, currency, asOf } = request;
    const version = await readVersion(db, publisherId, groupId);
    return previews.get([publisherId, groupId, currency, asOf?.toISOString() ?? null, version], () =>
      inTurn(turns, publisherId, async () => withWeight(await readPreview(background, request))),
    );
  };
}

/**
 * Reads the part of the cache key that invalidates a preview. This part changes when a payout of the group is created,
 * paid or canceled, when the group's terms change, when a row of the publisher is reversed, when a hold is placed or
 * released, and when a gate is set or ended.
 */
async function readVersion(db: Db, publisherId: string, groupId: string): Promise<unknown> {
  const { rows } = await sql`
    select g.terms_changed_at,
           (select r.refund_id
            from refund_record r
            where r.publisher_id = ${publisherId}
            order by r.refund_id desc
            limit 1) as last_refund,
           (select h.hold_id
            from payment_hold h
            where h.publisher_id = ${publisherId}
            order by h.hold_id desc
            limit 1) as last_hold,
           (select r.released_at
            from payment_hold_release r
            where r.publisher_id = ${publisherId}
            order by r.released_at desc
            limit 1) as last_release,
           (select g.gate_id
            from payee_gate g
            where g.publisher_id = ${publisherId}
            order by g.gate_id desc
            limit 1) as last_gate,
           (select e.ended_at
            from payee_gate_end e
            where e.publisher_id = ${publisherId}
            order by e.ended_at desc
            limit 1) as last_gate_end,
           (select json_object_agg(of_status.status, of_status.n order by of_status.status)
            from (
              select status, count(*) as n
              from payout_batch
              where publisher_id = ${publisherId} and group_id = ${groupId}
              group by status
            ) of_status) as payouts
    from creator_group g
    where g.publisher_id = ${publisherId} and g.group_id = ${groupId}`.execute(db);
  return rows;
}

const withWeight = (preview: Preview): Weighed<Preview> => ({
  answer: preview,
  weight: preview.rows.reduce((sum, { rowCount }) => sum + rowCount + 10, 0),
});

async function inTurn<Result>(
  turns: FairTurns,
  publisherId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!(await turns.take(publisherId, maxWaitMs)))
    throw unavailable('Too many previews are being calculated. Try again in a moment.');
  try {
    return await work();
  } finally {
    turns.giveBack(publisherId);
  }
}
