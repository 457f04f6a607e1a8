import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { refuseStaleEdit } from '../platform/version.ts';
import { copyLogo } from './brand/put-logo.ts';

const lockClass = 1_958; // reversals use 1_957
/**
 * Maximum number of sandboxes per publisher. Sandboxes are never deleted, because they have a ledger and an audit log.
 * At one copy a week, 99 last for almost two years.
 */
const maxSandboxes = 99;
const maxIdLength = 64;
const maxNameLength = 255;

export interface SandboxToOpen {
  /** Live publisher. */
  publisherId: string;
  /** Sandbox that the actor saw, which will be closed; null if there was none. */
  replaces: string | null;
}

interface LiveRow {
  name: string;
  forget_buyers_after_days: number | null;
  accent: string | null;
  code_link: string | null;
  payouts_need_method: boolean;
  payouts_need_tax_cleared: boolean;
}

/**
 * Locks a live publisher's sandbox until the end of the transaction, and checks that it is the one the actor saw.
 * @throws Refusal Stale; Conflict if the publisher is being copied concurrently or is itself a sandbox
 */
export async function lockSandbox(tx: Tx, { publisherId, replaces }: SandboxToOpen): Promise<LiveRow> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${lockClass}, hashtext(${publisherId})) as is_ours`.execute(tx);
  if (rows[0]?.is_ours !== true)
    throw new Refusal(
      'Conflict',
      'The sandbox is being copied right now. Reload the page when the copy is done.',
    );
  const live = await tx
    .selectFrom('publisher')
    .select(['name', 'sandbox_of', 'sandbox_id', 'forget_buyers_after_days', 'accent', 'code_link'])
    .select(['payouts_need_method', 'payouts_need_tax_cleared'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  if (live.sandbox_of !== null)
    throw new Refusal(
      'Conflict',
      `This is a sandbox. To create a new one, copy its live publisher, ${live.sandbox_of}.`,
    );
  refuseStaleEdit('The sandbox', replaces, live.sandbox_id);
  return live;
}

/**
 * Creates an empty sandbox for a live publisher. The sandbox isn't visible before the commit.
 * @returns the id of the sandbox
 * @throws Refusal for the same reasons as `lockSandbox`; Conflict if the publisher has reached the maximum number of
 * sandboxes
 */
export async function openSandbox(tx: Tx, sandbox: SandboxToOpen): Promise<string> {
  const { publisherId } = sandbox;
  const live = await lockSandbox(tx, sandbox);
  const sandboxId = await freeId(tx, publisherId);
  await tx
    .insertInto('publisher')
    .values({
      publisher_id: sandboxId,
      name: `${live.name.slice(0, maxNameLength - ' (sandbox)'.length)} (sandbox)`,
      sandbox_of: publisherId,
      forget_buyers_after_days: live.forget_buyers_after_days,
      accent: live.accent,
      code_link: live.code_link,
      payouts_need_method: live.payouts_need_method,
      payouts_need_tax_cleared: live.payouts_need_tax_cleared,
    })
    .execute();
  await copyLogo(tx, publisherId, sandboxId);
  return sandboxId;
}

/**
 * Makes a sandbox its live publisher's open sandbox; null leaves the publisher without one. Must be called late in the
 * transaction, because it locks the live publisher's row, which program changes need.
 */
export async function setOpenSandbox(tx: Tx, publisherId: string, sandboxId: string | null): Promise<void> {
  await tx
    .updateTable('publisher')
    .set({ sandbox_id: sandboxId })
    .where('publisher_id', '=', publisherId)
    .execute();
}

/** Returns the first unused id for a sandbox. */
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
    throw new Refusal('Conflict', `This publisher has had ${maxSandboxes} sandboxes, which is the maximum.`);
  return free;
}

function idOf(publisherId: string, number: number): string {
  const end = number === 1 ? '-sandbox' : `-sandbox-${number}`;
  return publisherId.slice(0, maxIdLength - end.length) + end;
}
