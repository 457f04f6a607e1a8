import { sql } from 'kysely';
import type { KeyPrincipal } from '../../audit/actor.ts';
import { bounded } from '../../audit/bounded.ts';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';
import { newDatedId } from '../../platform/dated-ids.ts';

/** A request that was refused, as it is noted: of its body the creator's code alone, and of its key a hash at most. */
export interface NotedRefusal {
  /** Who asked; null where the key did not open the door, and then its hash is here. */
  principal: KeyPrincipal | null;
  keyHash: Buffer | null;
  at: Date;
  method: string;
  /** As the document names it: `/v1/attributions/transactions/{transactionId}`. */
  route: string;
  status: number;
  code: string;
  message: string;
  requestId: string;
  address: string;
  /** The creator's code of what was refused, fit to be shown. */
  sentCode: string | null;
  groupId: string | null;
}

interface Whose {
  publisherId: string;
  keyId: KeyId;
}

/** Writes down refused requests, a statement for each publisher; those of keys that nobody ever had are forgotten. */
export async function saveRefused(db: Db, noted: readonly NotedRefusal[]): Promise<void> {
  const owners = await ownersOf(
    db,
    noted.flatMap(({ keyHash }) => keyHash ?? []),
  );
  const found = noted.flatMap((each) => {
    const whose = each.principal ?? owners.get(each.keyHash?.toString('hex') ?? '');
    return whose === undefined ? [] : [{ each, whose }];
  });
  for (const [publisherId, rows] of Map.groupBy(found, ({ whose }) => whose.publisherId))
    await db
      .insertInto('refused_request')
      .values(
        rows.map(({ each, whose }) => ({
          publisher_id: publisherId,
          refused_id: newDatedId(),
          at: each.at,
          key_id: whose.keyId,
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

/** Whose keys these are, or were. */
async function ownersOf(db: Db, hashes: readonly Buffer[]): Promise<Map<string, Whose>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; publisher_id: string; key_id: KeyId }>`
    select encode(key_hash, 'hex') as hash, publisher_id, key_id
    from api_key
    where key_hash = any(${[...hashes]}::bytea[])`.execute(db);
  return new Map(
    rows.map(({ hash, publisher_id, key_id }) => [hash, { publisherId: publisher_id, keyId: key_id }]),
  );
}
