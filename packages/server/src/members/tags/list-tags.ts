import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { TagId } from '../../platform/database/tables.generated.ts';
import { versionOf } from '../../platform/version.ts';

export interface Tag {
  tagId: TagId;
  name: string;
  /** Number of creators with the tag, of any status. A creator in two groups counts once. */
  creatorCount: number;
  version: string;
}

/** Lists a publisher's tags by name, at most `maxTags`. */
export async function listTags(db: Db, publisherId: string): Promise<Tag[]> {
  const { rows } = await sql<{ tag_id: TagId; name: string; creators: bigint }>`
    select t.tag_id, t.name,
           (select count(*) from creator_tagged o
            where o.publisher_id = ${publisherId} and o.tag_id = t.tag_id) as creators
    from creator_tag t
    where t.publisher_id = ${publisherId} and t.removed_at is null
    order by t.name_folded`.execute(db);
  return rows.map(({ tag_id, name, creators }) => ({
    tagId: tag_id,
    name,
    creatorCount: Number(creators),
    version: tagVersion(name),
  }));
}

export const tagVersion = (name: string): string => versionOf([name]);
