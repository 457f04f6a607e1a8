import type { Tx } from '../platform/database/in-transaction.ts';
import { newRowId } from '../platform/ids.ts';
import type { Actor } from './actor.ts';

/** What of a target an entry shows: names and plain values, never a secret, never what is known of a buyer. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Change {
  publisherId: string;
  /** `noun.verb`: `payout.create`. */
  action: string;
  /** `kind:id`: `payout:0190…`. */
  target: string;
  before?: Facts | null;
  after?: Facts | null;
  /** In the actor's own words. */
  reason?: string | null;
}

const longestId = 255;
const longestTarget = 600;

/** Writes one entry of the audit log, in the commit of the change itself: both are there, or neither. */
export async function recordChange(tx: Tx, actor: Actor, change: Change): Promise<void> {
  await recordChanges(tx, actor, [change]);
}

/** The same for many changes of one commit. */
export async function recordChanges(tx: Tx, actor: Actor, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await tx
    .insertInto('audit_entry')
    .values(
      changes.map(({ publisherId, action, target, before, after, reason }) => ({
        publisher_id: publisherId,
        audit_id: newRowId(),
        actor_kind: actor.kind,
        actor_id: actor.id.slice(0, longestId),
        actor_name: actor.name.slice(0, longestId),
        address: actor.address ?? null,
        request_id: actor.requestId ?? null,
        command: actor.command ?? null,
        action,
        target: target.slice(0, longestTarget),
        before: asJson(before),
        after: asJson(after),
        reason: reason ?? null,
      })),
    )
    .execute();
}

const asJson = (facts: Facts | null | undefined): string | null =>
  facts === null || facts === undefined ? null : JSON.stringify(facts);
