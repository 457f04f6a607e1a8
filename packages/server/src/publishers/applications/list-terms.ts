import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { GroupTerms } from './read-applications.ts';

interface GroupOfTerms {
  publisherId: string;
  groupId: string;
}

/** Maximum number of versions in a list. */
const maxListed = 100;

/** Returns the versions of a group's terms without their texts, newest first; at most 100. */
export async function listTerms(
  db: Db,
  { publisherId, groupId }: GroupOfTerms,
): Promise<Omit<GroupTerms, 'text'>[]> {
  const rows = await db
    .selectFrom('group_terms')
    .select(['version', 'sha256', 'created_at'])
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .orderBy('version', 'desc')
    .limit(maxListed)
    .execute();
  return rows.map(({ version, sha256, created_at }) => ({ version, sha256, createdAt: created_at }));
}

/** Returns one version of a group's terms. @throws Refusal NotFound */
export async function readTerms(
  db: Db,
  { publisherId, groupId, version }: GroupOfTerms & { version: number },
): Promise<GroupTerms> {
  const row = await db
    .selectFrom('group_terms')
    .select(['version', 'body', 'sha256', 'created_at'])
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (row === undefined)
    throw new Refusal('NotFound', `Group ${groupId} has no version ${version} of its terms.`);
  return { version: row.version, text: row.body, sha256: row.sha256, createdAt: row.created_at };
}
