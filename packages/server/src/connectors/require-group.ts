import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { loadProgram } from '../publishers/programs.ts';

/** @throws Refusal NotFound for an unknown publisher or group */
export async function requireGroup(tx: Tx, publisherId: string, groupId: string | null): Promise<void> {
  const program = await loadProgram(tx, publisherId);
  if (program === null) throw new Refusal('NotFound', `There is no publisher ${publisherId}.`);
  if (groupId !== null && !program.groups.has(groupId))
    throw new Refusal('NotFound', `Publisher ${publisherId} has no creator group ${groupId}.`, {
      path: ['groupId'],
    });
}
