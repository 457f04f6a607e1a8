import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { tagVersion } from './list-tags.ts';
import { findTag, requireTag, tagName } from './tag.ts';

interface TagToRename {
  publisherId: string;
  tagId: string;
  /** Version that the edit is based on. */
  version: string;
  name: string;
}

/**
 * Renames a tag for all creators who have it.
 * @throws Refusal NotFound; Stale; InvalidInput; Conflict if another tag has the name
 */
export function renameTag(
  db: Db,
  actor: Actor,
  { publisherId, tagId, version, name: typed }: TagToRename,
): Promise<void> {
  const { name, folded } = tagName(typed);
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const tag = await requireTag(tx, publisherId, tagId);
      if (tag.removed_at !== null) throw new Refusal('NotFound', `The tag ${tag.name} was removed.`);
      refuseStaleEdit(`The tag ${tag.name}`, version, tagVersion(tag.name));
      const taken = await findTag(tx, publisherId, folded);
      if (taken !== undefined && taken.tag_id !== tag.tag_id)
        throw new Refusal('Conflict', `The tag ${taken.name} already exists. Choose another name.`, {
          path: ['name'],
        });
      if (name === tag.name) return;
      await tx
        .updateTable('creator_tag')
        .set({ name, name_folded: folded })
        .where('publisher_id', '=', publisherId)
        .where('tag_id', '=', tag.tag_id)
        .execute();
      await recordChange(tx, actor, {
        publisherId,
        action: 'tag.rename',
        target: `tag:${tag.tag_id}`,
        before: { name: tag.name },
        after: { name },
      });
    }),
  );
}
