import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { refuseLate } from '../undo-time.ts';
import { findTag, maxTags, requireTag } from './tag.ts';

export interface RemovedTag {
  name: string;
  /** Number of creators who have or had the tag. */
  creatorCount: number;
}

/**
 * Removes a tag from all creators, or restores a removed tag that hasn't been purged yet. Has no effect if the tag is
 * already removed or restored.
 * @throws Refusal NotFound; Conflict if a tag can't be restored because it is too late, another tag has its name, or
 * the publisher has too many tags
 */
export const setTagRemoved = (
  db: Db,
  actor: Actor,
  { publisherId, tagId }: { publisherId: string; tagId: string },
  isRemoved: boolean,
): Promise<RemovedTag> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const { tag_id, name, removed_at } = await requireTag(tx, publisherId, tagId);
      const { rows } = await sql<{ tags: bigint; creators: bigint }>`
        select (select count(*) from creator_tag
                where publisher_id = ${publisherId} and removed_at is null) as tags,
               (select count(*) from creator_tagged
                where publisher_id = ${publisherId} and tag_id = ${tag_id}::uuid) as creators`.execute(tx);
      const tag = { name, creatorCount: Number(rows[0]?.creators) };
      if ((removed_at !== null) === isRemoved) return tag;
      const now = await readMoment(tx);
      if (removed_at !== null) refuseLate(removed_at, now);
      if (!isRemoved && (await findTag(tx, publisherId, name.toLowerCase())) !== undefined)
        throw new Refusal('Conflict', `The tag ${name} was created again, so the old one can't be restored.`);
      if (!isRemoved && Number(rows[0]?.tags) >= maxTags)
        throw new Refusal('Conflict', `The publisher has ${maxTags} tags. Remove another one first.`);
      await tx
        .updateTable('creator_tag')
        .set({ removed_at: isRemoved ? now : null })
        .where('publisher_id', '=', publisherId)
        .where('tag_id', '=', tag_id)
        .execute();
      const facts = { name, creators: tag.creatorCount };
      await recordChange(tx, actor, {
        publisherId,
        action: isRemoved ? 'tag.remove' : 'tag.restore',
        target: `tag:${tag_id}`,
        ...(isRemoved ? { before: facts } : { after: facts }),
      });
      return tag;
    }),
  );
