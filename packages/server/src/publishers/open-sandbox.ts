import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';

const lockClass = 1_958; // beside the reversals' 1_957
/** None is deleted, for it has a ledger and a log; who rehearses once a week has enough for two years. */
const maxSandboxes = 99;
const longestId = 64;
const longestName = 255;

export interface SandboxToOpen {
  /** The live publisher. */
  publisherId: string;
  /** The sandbox that whoever asks has seen, and that is to be closed; null: there was none. */
  replaces: string | null;
}

/**
 * Makes the publisher that a live one is copied to, with nothing in it, and in its place closes the one before. Nobody
 * sees it until the commit.
 * @returns its id
 * @throws Refusal Conflict when another copy is being made, or there is another sandbox by now; for a publisher that is a
 *   sandbox itself; and when it had too many
 */
export async function openSandbox(tx: Tx, { publisherId, replaces }: SandboxToOpen): Promise<string> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${lockClass}, hashtext(${publisherId})) as is_ours`.execute(tx);
  if (rows[0]?.is_ours !== true)
    throw new Refusal(
      'Conflict',
      'The sandbox is being copied at this moment; look again when that is done.',
    );
  const live = await tx
    .selectFrom('publisher')
    .select(['name', 'sandbox_of', 'sandbox_id', 'forget_buyers_after_days'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  if (live.sandbox_of !== null)
    throw new Refusal(
      'Conflict',
      `This is a sandbox: copy its live publisher, ${live.sandbox_of}, which makes a new one.`,
    );
  if (live.sandbox_id !== replaces)
    throw new Refusal('Conflict', 'Somebody else copied this meanwhile; look at the sandbox there is now.');
  const sandboxId = await freeId(tx, publisherId);
  await tx
    .insertInto('publisher')
    .values({
      publisher_id: sandboxId,
      name: `${live.name.slice(0, longestName - ' (sandbox)'.length)} (sandbox)`,
      sandbox_of: publisherId,
      forget_buyers_after_days: live.forget_buyers_after_days,
    })
    .execute();
  return sandboxId;
}

/**
 * From the commit on it is the one that is open. Late, because it locks the live publisher's row, which changes of its
 * program need.
 */
export async function setOpenSandbox(tx: Tx, publisherId: string, sandboxId: string): Promise<void> {
  await tx
    .updateTable('publisher')
    .set({ sandbox_id: sandboxId })
    .where('publisher_id', '=', publisherId)
    .execute();
}

/** The first id that no publisher has. */
async function freeId(tx: Tx, publisherId: string): Promise<string> {
  const candidates = Array.from({ length: maxSandboxes }, (_, index) => idOf(publisherId, index + 1));
  const rows = await tx
    .selectFrom('publisher')
    .select('publisher_id')
    .where('publisher_id', 'in', candidates)
    .execute();
  const taken = new Set(rows.map(({ publisher_id }) => publisher_id));
  const free = candidates.find((id) => !taken.has(id));
  if (free === undefined)
    throw new Refusal('Conflict', `This publisher has had ${maxSandboxes} sandboxes, and can have no more.`);
  return free;
}

function idOf(publisherId: string, number: number): string {
  const end = number === 1 ? '-sandbox' : `-sandbox-${number}`;
  return publisherId.slice(0, longestId - end.length) + end;
}
