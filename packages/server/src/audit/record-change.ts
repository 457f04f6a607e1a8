import type { Tx } from '../platform/database/in-transaction.ts';
import { moment } from '../platform/database/moment.ts';
import { newRowId } from '../platform/ids.ts';
import type { Actor } from './actor.ts';
import { bounded, boundedFacts } from './bounded.ts';

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

// The table's checks have the same (migrations/0011_audit.sql): what somebody wrote must not make the change fail.
const longestName = 255;
const longestTarget = 600;
const longestReason = 2_000;
const entriesAtOnce = 500;

interface Kept {
  actor: Actor;
  change: Change;
}

/** The entries that transactions under way will write together. */
const keptBy = new WeakMap<Tx, Kept[]>();

/** Runs what makes many changes, so that their entries are written in sets: at the latest at its end, in its commit. */
export async function recordingTogether<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  if (keptBy.has(tx)) throw new Error('recordingTogether is called inside of recordingTogether');
  const kept: Kept[] = [];
  keptBy.set(tx, kept);
  const result = await work().finally(() => keptBy.delete(tx));
  await writeEntries(tx, kept);
  return result;
}

/** Writes one entry of the audit log, in the commit of the change itself: both are there, or neither. */
export async function recordChange(tx: Tx, actor: Actor, change: Change): Promise<void> {
  await recordChanges(tx, actor, [change]);
}

/** The same for many changes of one commit. */
export async function recordChanges(tx: Tx, actor: Actor, changes: readonly Change[]): Promise<void> {
  const kept = keptBy.get(tx);
  const entries = changes.map((change) => ({ actor, change }));
  if (kept === undefined) return writeEntries(tx, entries);
  kept.push(...entries);
  if (kept.length >= entriesAtOnce) await writeEntries(tx, kept.splice(0));
}

async function writeEntries(tx: Tx, entries: readonly Kept[]): Promise<void> {
  for (let start = 0; start < entries.length; start += entriesAtOnce) {
    await tx
      .insertInto('audit_entry')
      .values(entries.slice(start, start + entriesAtOnce).map(toRow))
      .execute();
  }
}

const toRow = ({ actor, change }: Kept) => ({
  publisher_id: change.publisherId,
  audit_id: newRowId(),
  // As the id is of now; the transaction may have begun long ago.
  at: moment,
  actor_kind: actor.kind,
  actor_id: storedActorId(actor.id),
  actor_name: storedActorName(actor.name),
  address: orNull(actor.address, longestName),
  request_id: orNull(actor.requestId, longestName),
  command: orNull(actor.command, longestName),
  action: change.action,
  target: storedTarget(change.target),
  before: change.before ? boundedFacts(change.before) : null,
  after: change.after ? boundedFacts(change.after) : null,
  reason: orNull(change.reason, longestReason),
});

const orNull = (text: string | null | undefined, longest: number): string | null =>
  text === null || text === undefined ? null : bounded(text, longest);

/** An actor's id as entries hold it, for whoever looks for it. */
export const storedActorId = (id: string): string => bounded(id, longestName) || '-';

/** What an actor is called, as entries hold it. */
export const storedActorName = (name: string): string => bounded(name, longestName) || '-';

/** A target as entries hold it. */
export const storedTarget = (target: string): string => bounded(target, longestTarget) || '-';
