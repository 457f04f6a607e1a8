import type { Db } from '../../platform/database/database.ts';
import { isRole, type Role } from '../roles.ts';

export interface ListedToken {
  tokenId: string;
  name: string;
  role: Role;
  /** Null for a token created before its creator was recorded. */
  createdBy: { kind: string; id: string; name: string } | null;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  state: 'works' | 'ended' | 'revoked';
}

const maxTokens = 1_000;

/** Returns a publisher's tokens, including revoked and expired tokens, newest first. */
export async function listTokens(db: Db, publisherId: string, now: Date): Promise<ListedToken[]> {
  const rows = await db
    .selectFrom('operator_token')
    .select([
      'token_id',
      'name',
      'role',
      'created_at',
      'expires_at',
      'last_used_at',
      'revoked_at',
      'created_by_kind',
      'created_by_id',
      'created_by_name',
    ])
    .where('publisher_id', '=', publisherId)
    .orderBy('created_at', 'desc')
    .limit(maxTokens)
    .execute();
  return rows.flatMap(({ role, ...row }) =>
    isRole(role)
      ? [
          {
            tokenId: row.token_id,
            name: row.name,
            role,
            createdBy: createdByOf(row),
            createdAt: row.created_at,
            expiresAt: row.expires_at,
            lastUsedAt: row.last_used_at,
            revokedAt: row.revoked_at,
            state: row.revoked_at !== null ? 'revoked' : row.expires_at <= now ? 'ended' : 'works',
          },
        ]
      : [],
  );
}

function createdByOf(row: {
  created_by_kind: string | null;
  created_by_id: string | null;
  created_by_name: string | null;
}): ListedToken['createdBy'] {
  const { created_by_kind: kind, created_by_id: id, created_by_name: name } = row;
  return kind === null || id === null || name === null ? null : { kind, id, name };
}
