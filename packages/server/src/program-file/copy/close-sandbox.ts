import { revokeKeysOf } from '../../api-keys/revoke-keys-of.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { removeConnectorsOf } from '../../connectors/remove-connectors-of.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { lockSandbox, setOpenSandbox } from '../../publishers/open-sandbox.ts';
import { removeEndpointsOf } from '../../webhooks/endpoints/remove-endpoints-of.ts';

/** Sandbox that the actor saw and wants to close. */
export interface SandboxToClose {
  /** Live publisher. */
  publisherId: string;
  sandboxId: string;
}

/**
 * Permanently closes a live publisher's sandbox without opening a new one.
 * @throws Refusal Stale; Conflict if the publisher is being copied, or is itself a sandbox
 */
export const closeSandbox = (
  db: Db,
  actor: Actor,
  { publisherId, sandboxId }: SandboxToClose,
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockSandbox(tx, { publisherId, replaces: sandboxId });
    await recordChange(tx, actor, {
      publisherId,
      action: 'sandbox.close',
      target: `publisher:${sandboxId}`,
    });
    await removeAccess(tx, actor, sandboxId, now);
    await setOpenSandbox(tx, publisherId, null);
  });

/** Revokes a closing sandbox's keys and removes its endpoints and connectors. */
export async function removeAccess(tx: Tx, actor: Actor, sandboxId: string, now: Date): Promise<void> {
  await revokeKeysOf(tx, actor, sandboxId, now);
  await removeConnectorsOf(tx, actor, sandboxId, now);
  await changingProgram(tx, sandboxId, (tx) => removeEndpointsOf(tx, actor, sandboxId));
  await recordChange(tx, actor, {
    publisherId: sandboxId,
    action: 'sandbox.close',
    target: `publisher:${sandboxId}`,
  });
}
