import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { toAccountId } from '../../platform/ids.ts';
import type { MemberStatus } from '../lock-members.ts';
import type { PlayerMetadata } from '../player-metadata.ts';
import type { MemberLine } from './parse-members.ts';

/** Stored values of a line's creator. Those of the membership are null if the creator isn't in the group. */
interface KnownMember {
  name: string;
  logoImage: string | null;
  profileImage: string | null;
  status: MemberStatus | null;
  playerId: string | null;
  playerMetadata: PlayerMetadata | null;
}

/** Reads the creators of lines, by id. New creators are missing. */
export async function readKnown(
  db: Db,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  lines: readonly MemberLine[],
): Promise<ReadonlyMap<string, KnownMember>> {
  const ids = lines.flatMap(({ input: { id } }) => (id === undefined ? [] : [id]));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<KnownMember & { id: string }>`
    select a.account_id as id, a.name, a.logo_image as "logoImage", a.profile_image as "profileImage", m.status,
           m.player_id as "playerId", m.player_metadata as "playerMetadata"
    from creator_account a
    left join membership m
      on m.publisher_id = ${publisherId} and m.group_id = ${groupId} and m.account_id = a.account_id
    where a.account_id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns a line's input without the values that the creator already has, because a cell can't contain the spaces around
 * them.
 */
export function onlyChanges(input: MemberLine['input'], known: KnownMember): MemberLine['input'] {
  const changes = { ...input };
  if (input.status === known.status) delete changes.status;
  for (const field of ['name', 'logoImage', 'profileImage', 'playerId'] as const)
    if (input[field] === asCell(known[field])) delete changes[field];
  const displayName = input.playerMetadata?.displayName;
  if (displayName === undefined) return changes;
  if (displayName === asCell(known.playerMetadata?.displayName ?? null)) delete changes.playerMetadata;
  return changes;
}

/** Returns a member's stored metadata with a line's display name. */
export async function withDisplayName(
  tx: Tx,
  { publisherId, groupId, id }: { publisherId: string; groupId: string; id: string },
  metadata: PlayerMetadata,
): Promise<PlayerMetadata> {
  const stored = await tx
    .selectFrom('membership')
    .select('player_metadata')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', toAccountId(id))
    .executeTakeFirst();
  return { ...(stored?.player_metadata as PlayerMetadata | null | undefined), ...metadata };
}

/** Returns text as an import reads it from a file. */
const asCell = (text: string | null): string | undefined => text?.replaceAll(/\r\n?/g, '\n').trim();
