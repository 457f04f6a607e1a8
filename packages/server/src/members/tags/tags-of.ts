import { type RawBuilder, sql } from 'kysely';
import type { TagId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';

export interface TagOfCreator {
  id: TagId;
  name: string;
}

/** Builds an expression for the tags of the membership `m` as JSON, sorted by name. */
export const tagsOf = (publisherId: string): RawBuilder<TagOfCreator[]> => sql`
  (select coalesce(json_agg(json_build_object('id', t.tag_id, 'name', t.name) order by t.name_folded), '[]')
   from creator_tagged o
   join creator_tag t on t.publisher_id = ${publisherId} and t.tag_id = o.tag_id and t.removed_at is null
   where o.publisher_id = ${publisherId} and o.account_id = m.account_id)`;

/** Builds the condition that the membership `m` has a tag. @throws Refusal InvalidInput */
export function isTagged(publisherId: string, tagId: string): RawBuilder<boolean> {
  if (!isRowId(tagId)) throw new Refusal('InvalidInput', "The tag doesn't exist.");
  return sql`m.account_id in (
    select o.account_id
    from creator_tag t
    join creator_tagged o on o.publisher_id = ${publisherId} and o.tag_id = t.tag_id
    where t.publisher_id = ${publisherId} and t.tag_id = ${tagId}::uuid and t.removed_at is null)`;
}
