import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { applyBounties, lockForBounties } from './apply-bounties.ts';
import type { ProgramFile } from './read-program.ts';

/**
 * Makes or replaces the one bounty that a file of its own describes (readBountyFile).
 * @returns its id
 * @throws OperatorError when there is no such group, or naming the line of what cannot be
 */
export function addBounty(db: Db, file: ProgramFile): Promise<string> {
  const publisherId = file.program.publisher.id;
  const groupId = file.program.groups?.[0]?.id ?? '';
  return inTransaction(db, async (tx) => {
    await lockForBounties(tx, file);
    const group = await tx
      .selectFrom('creator_group')
      .select('group_id')
      .where('publisher_id', '=', publisherId)
      .where('group_id', '=', groupId)
      .executeTakeFirst();
    if (group === undefined) throw new OperatorError(`Publisher ${publisherId} has no group ${groupId}.`);
    const [bountyId] = await applyBounties(tx, file, 0);
    if (bountyId === undefined) throw new Error('a file of one bounty has none');
    return bountyId;
  });
}
