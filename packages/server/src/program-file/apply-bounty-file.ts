import type { Actor } from '../audit/actor.ts';
import { type BountyOutcome, putBounty } from '../bounties/define/put-bounty.ts';
import type { Db } from '../platform/database/database.ts';
import type { BountyFile } from './read-program.ts';
import { withLines } from './with-lines.ts';

/**
 * Creates or changes the bounty described in a file.
 * @throws Refusal for an unknown group, or with the lines of all problems
 */
export function applyBountyFile(
  db: Db,
  actor: Actor,
  group: { publisherId: string; groupId: string },
  file: BountyFile,
): Promise<BountyOutcome> {
  return withLines(file, () => putBounty(db, actor, { ...group, ...file.bounty }));
}
