import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { laterBy, readAheadMs } from '../publishers/publisher-time.ts';
import type { EventKind } from '../webhooks/event-kinds.ts';
import { publishEvents } from '../webhooks/publish-events.ts';
import { findPlayerCodes } from './player-code.ts';

const kind: EventKind = 'Player/CodeExpiring';
/** Time before the end at which it is announced. */
const aheadMs = 86_400_000;
/** Maximum number of codes to announce in one commit. */
const codesAtOnce = 500;

/**
 * Announces the codes of players that expire within a day, each exactly once, to publishers with an endpoint for it. A code whose
 * player has renewed or replaced it isn't announced, nor is one whose creator isn't Approved.
 * @returns the number of codes processed
 */
export async function announceEnds(db: Db, serviceNow: Date, stopping: AbortSignal): Promise<number> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from webhook_endpoint where is_enabled and ${kind} = any(event_kinds)`.execute(
    db,
  );
  const failures: unknown[] = [];
  let processed = 0;
  for (const { publisher_id: publisherId } of rows)
    try {
      const now = laterBy(serviceNow, await readAheadMs(db, publisherId));
      for (let count = codesAtOnce; count === codesAtOnce && !stopping.aborted; processed += count)
        count = await announceSome(db, publisherId, now);
    } catch (error) {
      failures.push(error); // a failure must not stop the other publishers
    }
  if (failures.length > 0) throw failures[0];
  return processed;
}

interface EndingCode {
  group_id: string;
  player_id: string;
  attached_at: Date;
}

const announceSome = (db: Db, publisherId: string, now: Date): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<EndingCode>`
      update player_code
      set is_end_told = true
      where publisher_id = ${publisherId} and (group_id, player_id, attached_at) in (
        select group_id, player_id, attached_at
        from player_code
        where publisher_id = ${publisherId} and not is_end_told and ended_at = expires_at
          and expires_at > ${now} and expires_at <= ${laterBy(now, aheadMs)}
        order by expires_at
        limit ${codesAtOnce}
        for no key update skip locked
      )
      returning group_id, player_id, attached_at`.execute(tx);
    for (const [groupId, ending] of Map.groupBy(rows, ({ group_id }) => group_id)) {
      const asked = ending.map(({ player_id }) => ({ playerId: player_id, at: now }));
      const inForce = (await findPlayerCodes(tx, { publisherId, groupId }, asked)).filter(
        (code) => code !== null,
      );
      await publishEvents(
        tx,
        publisherId,
        inForce.map(({ attachedAt, expiresAt, ...code }) => ({
          kind,
          event: { ...code, attachedAt: attachedAt.toISOString(), expiresAt: expiresAt.toISOString() },
        })),
      );
    }
    return rows.length;
  });
