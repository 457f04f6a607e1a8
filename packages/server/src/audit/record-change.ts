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
const entriesAtOnce = 500;

interface Kept {
  actor: Actor;
  change: Change;
}

/** The entries that transactions under way will write together. */
const keptBy = new WeakMap<Tx, Kept[]>();

/** Runs what makes many changes, so that their entries are written in sets: at the latest at its end, in its commit. */
export async function recordingTogether<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  const kept: Kept[] = [];
  keptBy.set(tx, kept);
  const result = await work();
  keptBy.delete(tx);
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
  actor_kind: actor.kind,
  actor_id: actor.id.slice(0, longestId),
  actor_name: actor.name.slice(0, longestId),
  address: actor.address ?? null,
  request_id: actor.requestId ?? null,
  command: actor.command ?? null,
  action: change.action,
  target: change.target.slice(0, longestTarget),
  before: asJson(change.before),
  after: asJson(change.after),
  reason: change.reason ?? null,
});

const asJson = (facts: Facts | null | undefined): string | null =>
  facts === null || facts === undefined ? null : JSON.stringify(facts);
