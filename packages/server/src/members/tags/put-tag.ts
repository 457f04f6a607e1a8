import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { AccountId, TagId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { findTag, maxTags, maxTagsOfCreator, tagName } from './tag.ts';

interface TagToPut {
  publisherId: string;
  accountId: AccountId;
  tag: string;
  /** False to remove the tag from the creator. */
  isTagged: boolean;
}

/**
 * Adds a tag to a creator or removes it. The publisher's first use of a name creates the tag. Tags aren't part of the
 * program, but this takes its lock, so that the creator can't be claimed at the same time.
 * @returns false if nothing changed
 * @throws Refusal InvalidInput for an invalid name; Conflict if the publisher or the creator has too many tags
 */
export async function putTag(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, accountId, tag, isTagged }: TagToPut,
): Promise<boolean> {
  const named = tagName(tag);
  const found = await findTag(tx, publisherId, named.folded);
  if (found === undefined && !isTagged) return false;
  if (isTagged && found !== undefined && (await hasTag(tx, publisherId, accountId, found.tag_id)))
    return false;
  if (isTagged) await refuseTooMany(tx, publisherId, accountId);
  const { tag_id: tagId, name } = found ?? (await createTag(tx, publisherId, named));
  const changed = isTagged
    ? await sql`
        insert into creator_tagged (publisher_id, tag_id, account_id)
        values (${publisherId}, ${tagId}::uuid, ${accountId})`.execute(tx)
    : await sql`
        delete from creator_tagged
        where publisher_id = ${publisherId} and tag_id = ${tagId}::uuid and account_id = ${accountId}`.execute(
        tx,
      );
  if ((changed.numAffectedRows ?? 0n) === 0n) return false;
  await recordChange(tx, actor, {
    publisherId,
    action: isTagged ? 'member.tag' : 'member.untag',
    target: `member:${accountId}`,
    ...(isTagged ? { after: { tag: name } } : { before: { tag: name } }),
  });
  return true;
}

async function hasTag(
  tx: ProgramTx,
  publisherId: string,
  accountId: AccountId,
  tagId: TagId,
): Promise<boolean> {
  const row = await tx
    .selectFrom('creator_tagged')
    .select('tag_id')
    .where('publisher_id', '=', publisherId)
    .where('tag_id', '=', tagId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

async function refuseTooMany(tx: ProgramTx, publisherId: string, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count
    from creator_tagged o
    join creator_tag t on t.publisher_id = ${publisherId} and t.tag_id = o.tag_id and t.removed_at is null
    where o.publisher_id = ${publisherId} and o.account_id = ${accountId}`.execute(tx);
  if (Number(rows[0]?.count) >= maxTagsOfCreator)
    throw new Refusal(
      'Conflict',
      `The creator already has ${maxTagsOfCreator} tags. Remove one before you add another.`,
    );
}

async function createTag(
  tx: ProgramTx,
  publisherId: string,
  { name, folded }: { name: string; folded: string },
): Promise<{ tag_id: TagId; name: string }> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count
    from creator_tag
    where publisher_id = ${publisherId} and removed_at is null`.execute(tx);
  if (Number(rows[0]?.count) >= maxTags)
    throw new Refusal(
      'Conflict',
      `The publisher already has ${maxTags} tags. Remove one that is no longer needed.`,
    );
  const tag = { tag_id: newRowId<TagId>(), name };
  await tx
    .insertInto('creator_tag')
    .values({ publisher_id: publisherId, ...tag, name_folded: folded })
    .execute();
  return tag;
}
