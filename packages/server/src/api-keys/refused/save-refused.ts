import type { KeyPrincipal } from '../../audit/actor.ts';
import { bounded } from '../../audit/bounded.ts';
import type { Db } from '../../platform/database/database.ts';
import { newDatedId } from '../../platform/dated-ids.ts';
import { findKeyOwners } from '../find-key-owners.ts';

/** Rejected request to save. It contains only the creator's code from the body, and at most a hash of the key. */
export interface NotedRefusal {
  /** Null if the key was rejected, in which case `keyHash` is the key's hash. */
  principal: KeyPrincipal | null;
  keyHash: Buffer | null;
  at: Date;
  method: string;
  /** Path as in the OpenAPI document, such as `/v1/attributions/transactions/{transactionId}`. */
  route: string;
  status: number;
  code: string;
  message: string;
  requestId: string;
  address: string;
  /** Creator's code in the request, safe to display. */
  sentCode: string | null;
  groupId: string | null;
}

/** Saves rejected requests, with one statement per publisher. Drops requests whose keys never existed. */
export async function saveRefused(db: Db, noted: readonly NotedRefusal[]): Promise<void> {
  const owners = await findKeyOwners(
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
