import { sql } from 'kysely';
import type { KeyPrincipal } from '../../audit/actor.ts';
import { bounded } from '../../audit/bounded.ts';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';
import { newDatedId } from '../../platform/dated-ids.ts';

/**
 * Refused request to be saved. Contains only the creator's code from the body, and at most a hash of the key.
 */
export interface NotedRefusal {
  /** Null if the key was rejected, in which case `keyHash` is the key's hash. */
  principal: KeyPrincipal | null;
  keyHash: Buffer | null;
  at: Date;
  method: string;
  /** Path as in the API's document: `/v1/attributions/transactions/{transactionId}`. */
  route: string;
  status: number;
  code: string;
  message: string;
  requestId: string;
  address: string;
  /** Creator's code in the request, safe to show. */
  sentCode: string | null;
  groupId: string | null;
}

interface KeyOwner {
  publisherId: string;
  keyId: KeyId;
}

/** Saves refused requests, with one statement per publisher. Drops requests whose keys never existed. */
export async function saveRefused(db: Db, noted: readonly NotedRefusal[]): Promise<void> {
  const owners = await ownersOf(
    db,
    noted.flatMap(({ keyHash }) => keyHash ?? []),
  );
  const found = noted.flatMap((each) => {
    const owner = each.principal ?? owners.get(each.keyHash?.toString('hex') ?? '');
    return owner === undefined ? [] : [{ each, owner }];
  });
  for (const [publisherId, rows] of Map.groupBy(found, ({ owner }) => owner.publisherId))
    await db
      .insertInto('refused_request')
      .values(
        rows.map(({ each, owner }) => ({
          publisher_id: publisherId,
          refused_id: newDatedId(),
          at: each.at,
          key_id: owner.keyId,
          method: each.method,
          route: each.route.slice(0, 200),
          status: each.status,
          code: each.code,
          message: bounded(each.message, 500),
          request_id: each.requestId,
          address: each.address.slice(0, 64),
          sent_code: each.sentCode,
          group_id: each.groupId,
        })),
      )
      .execute();
}

/** Returns the owners of keys by hash. Revoked and expired keys are included. */
async function ownersOf(db: Db, hashes: readonly Buffer[]): Promise<Map<string, KeyOwner>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; publisher_id: string; key_id: KeyId }>`
    select encode(key_hash, 'hex') as hash, publisher_id, key_id
    from api_key
    where key_hash = any(${[...hashes]}::bytea[])`.execute(db);
  return new Map(
    rows.map(({ hash, publisher_id, key_id }) => [hash, { publisherId: publisher_id, keyId: key_id }]),
  );
}
