import type { Tx } from '../../platform/database/in-transaction.ts';
import type { TagId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { isVisible } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';

export const maxTagLength = 40;
/** Maximum number of tags that a publisher may have. */
export const maxTags = 200;
/** Maximum number of tags on a creator. A claim may exceed it by adding the claimed member's tags. */
export const maxTagsOfCreator = 20;

export interface TagName {
  name: string;
  /** Name for comparisons. Names are unique regardless of case. */
  folded: string;
}

/**
 * Checks a tag's name and normalizes its spaces.
 * @throws Refusal InvalidInput for a name that is empty, is too long or contains , ; or |, which separate tags in a
 * file
 */
export function tagName(typed: string): TagName {
  const name = isVisible(typed) ? typed.normalize('NFC').trim().replaceAll(/\s+/gu, ' ') : '';
  if (name === '' || name.length > maxTagLength || /[,;|]/.test(name))
    throw new Refusal(
      'InvalidInput',
      `A tag must have 1 to ${maxTagLength} characters and can't contain commas, semicolons or |.`,
      {
        path: ['tag'],
      },
    );
  return { name, folded: name.toLowerCase() };
}

export interface TagRow {
  tag_id: TagId;
  name: string;
  removed_at: Date | null;
}

/** Reads a tag in order to change it. The caller must hold the program's lock. @throws Refusal NotFound */
export async function requireTag(tx: Tx, publisherId: string, tagId: string): Promise<TagRow> {
  const row = isRowId(tagId)
    ? await tx
        .selectFrom('creator_tag')
        .select(['tag_id', 'name', 'removed_at'])
        .where('publisher_id', '=', publisherId)
        .where('tag_id', '=', tagId as TagId)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new Refusal('NotFound', "The tag doesn't exist, or it was removed.");
  return row;
}

/** Finds a tag by its folded name, ignoring removed tags. */
export const findTag = (
  tx: Tx,
  publisherId: string,
  folded: string,
): Promise<{ tag_id: TagId; name: string } | undefined> =>
  tx
    .selectFrom('creator_tag')
    .select(['tag_id', 'name'])
    .where('publisher_id', '=', publisherId)
    .where('name_folded', '=', folded)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
