import type { Tx } from '../platform/database/in-transaction.ts';
import type { TierId } from '../platform/database/tables.generated.ts';
import type { ProgramFile } from './read-program.ts';

/** @throws OperatorError naming the line, when the group has no such tier */
export async function tierNamed(
  tx: Tx,
  file: ProgramFile,
  publisherId: string,
  groupId: string,
  name: string,
  path: readonly (string | number)[],
): Promise<TierId> {
  const tier = await tx
    .selectFrom('tier')
    .select('tier_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (tier === undefined) throw file.errorAt(path, `the group ${groupId} has no tier named ${name}`);
  return tier.tier_id;
}
