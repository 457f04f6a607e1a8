import type { Tx } from '../platform/database/in-transaction.ts';
import { moment } from '../platform/database/moment.ts';
import { newRowId } from '../platform/ids.ts';
import type { Actor } from './actor.ts';
import { bounded, boundedFacts } from './bounded.ts';

/** The target's values to show in an entry: names and plain values, never secrets or buyer data. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Change {
  publisherId: string;
  /** `noun.verb`, such as `payout.create`. */
  action: string;
  /** `kind:id`, such as `payout:0190…`. */
  target: string;
  before?: Facts | null;
  after?: Facts | null;
  /** Reason in the actor's own words. */
  reason?: string | null;
}

// These limits match the table's checks (migrations/0011_audit.sql). Long input must not cause the change to
// fail.
const maxNameLength = 255;
const maxTargetLength = 600;
const maxReasonLength = 2_000;
const entriesAtOnce = 500;

interface PendingEntry {
  actor: Actor;
  change: Change;
}

/** Entries that open transactions are collecting, to be written in batches. */
const pendingByTx = new WeakMap<Tx, PendingEntry[]>();

/** Runs work that makes many changes, and writes their audit entries in batches before it returns. */
export async function batchEntries<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  if (pendingByTx.has(tx)) throw new Error('batchEntries must not be nested');
  const pending: PendingEntry[] = [];
  pendingByTx.set(tx, pending);
  const result = await work().finally(() => pendingByTx.delete(tx));
  await writeEntries(tx, pending);
  return result;
}

/** Writes an entry to the audit log, in the transaction of the change. */
export async function recordChange(tx: Tx, actor: Actor, change: Change): Promise<void> {
  await recordChanges(tx, actor, [change]);
}

/** Writes an entry for each change, in the transaction of the changes. */
export async function recordChanges(tx: Tx, actor: Actor, changes: readonly Change[]): Promise<void> {
  const pending = pendingByTx.get(tx);
  const entries = changes.map((change) => ({ actor, change }));
  if (pending === undefined) return writeEntries(tx, entries);
  pending.push(...entries);
  if (pending.length >= entriesAtOnce) await writeEntries(tx, pending.splice(0));
}

async function writeEntries(tx: Tx, entries: readonly PendingEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += entriesAtOnce) {
    await tx
      .insertInto('audit_entry')
      .values(entries.slice(start, start + entriesAtOnce).map(toRow))
      .execute();
  }
}

const toRow = ({ actor, change }: PendingEntry) => ({
  publisher_id: change.publisherId,
  audit_id: newRowId(),
  // Use the current time, as the id does, because the transaction may have begun long ago.
  at: moment,
  actor_kind: actor.kind,
  actor_id: storedActorId(actor.id),
  actor_name: storedActorName(actor.name),
  address: boundedOrNull(actor.address, maxNameLength),
  request_id: boundedOrNull(actor.requestId, maxNameLength),
  command: boundedOrNull(actor.command, maxNameLength),
  action: change.action,
  target: storedTarget(change.target),
  before: change.before ? boundedFacts(change.before) : null,
  after: change.after ? boundedFacts(change.after) : null,
  reason: boundedOrNull(change.reason, maxReasonLength),
});

const boundedOrNull = (text: string | null | undefined, maxLength: number): string | null =>
  text === null || text === undefined ? null : bounded(text, maxLength);

/** Returns an actor's id in the form stored in entries, for use in filters. */
export const storedActorId = (id: string): string => bounded(id, maxNameLength) || '-';

export const storedActorName = (name: string): string => bounded(name, maxNameLength) || '-';

export const storedTarget = (target: string): string => bounded(target, maxTargetLength) || '-';
