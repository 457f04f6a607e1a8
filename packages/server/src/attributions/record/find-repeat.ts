import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { readAttributions } from '../read-attributions.ts';
import type { Purchase } from './read-entry.ts';

/** Request in which at least one transactionId was saved by an earlier request. */
interface RepeatedRequest {
  publisherId: string;
  groupId: string;
  purchases: readonly Purchase[];
}

/** Facts about a saved row that responses don't show. */
interface SavedFacts {
  isTest: boolean;
  /** True if the row still has its original buyer, who was neither overwritten, forgotten nor erased. */
  hasItsBuyer: boolean;
}

/**
 * Finds the saved rows of an earlier request with the same content. The content is the same if every
 * transactionId has the same number of rows in the same order and group, and each row matches its entry after
 * defaults are applied. Values that may change after recording are not compared: the status (except Test),
 * and a buyer that was overwritten, forgotten or erased.
 * @returns the rows in the order of the entries; null if the content differs
 */
export async function findRepeat(
  db: Db,
  { publisherId, groupId, purchases }: RepeatedRequest,
): Promise<AttributionRow[] | null> {
  const transactionIds = [...new Set(purchases.map(({ transactionId }) => transactionId))];
  const keys = sql`
    select attribution_id
    from attribution
    where publisher_id = ${publisherId} and transaction_id = any(${transactionIds}::text[])
    limit ${purchases.length + 1}`; // one more row means that the content differs
  const rows = await readAttributions(db, publisherId, keys, sql`a.attribution_id`);
  if (rows.length !== purchases.length) return null;
  const facts = await readFacts(
    db,
    publisherId,
    rows.map(({ attributionId }) => attributionId),
  );
  const saved = new Map(rows.map((row) => [placeOf(row.transactionId, row.splitIndex), row]));
  const splits = new Map<string, number>();
  const found: AttributionRow[] = [];
  for (const purchase of purchases) {
    const splitIndex = splits.get(purchase.transactionId) ?? 0;
    splits.set(purchase.transactionId, splitIndex + 1);
    const row = saved.get(placeOf(purchase.transactionId, splitIndex));
    const factsOfRow = row && facts.get(row.attributionId);
    if (row?.groupId !== groupId || factsOfRow === undefined || !hasSameContent(row, factsOfRow, purchase))
      return null;
    found.push(row);
  }
  return found;
}

const placeOf = (transactionId: string, splitIndex: number): string => `${splitIndex} ${transactionId}`;

const hasSameContent = (row: AttributionRow, { isTest, hasItsBuyer }: SavedFacts, sent: Purchase): boolean =>
  foldCode(row.code) === sent.codeFolded &&
  row.description === sent.description &&
  isTest === (sent.status === 'Test') &&
  row.subtotalMinor === sent.subtotalMinor &&
  row.currency === sent.currency &&
  row.totalMinor === sent.totalMinor &&
  row.totalCurrency === sent.totalCurrency &&
  row.transactionDate.getTime() === sent.transactionDate.getTime() &&
  row.platform === sent.platform &&
  row.skuId === sent.skuId &&
  row.sentShareMillionths === sent.sentShareMillionths &&
  // A forgotten or erased buyer takes the metrics along. An overwritten one doesn't.
  ((!hasItsBuyer && row.metrics === null) || isDeepStrictEqual(row.metrics, sent.metrics)) &&
  (!hasItsBuyer || (row.playerId === sent.playerId && row.playerName === sent.playerName));

async function readFacts(
  db: Db,
  publisherId: string,
  attributionIds: readonly AttributionId[],
): Promise<Map<AttributionId, SavedFacts>> {
  const { rows } = await sql<{ attribution_id: AttributionId; is_test: boolean; has_its_buyer: boolean }>`
    select a.attribution_id, a.is_test,
           h.is_player_new is not true and coalesce(a.attribution_id > forgetting.forgotten_before, true) as has_its_buyer
    from attribution a
    left join attribution_change h on h.publisher_id = ${publisherId} and h.attribution_id = a.attribution_id
    left join buyer_forgetting forgetting on forgetting.publisher_id = ${publisherId}
    where a.publisher_id = ${publisherId} and a.attribution_id = any(${[...attributionIds]}::uuid[])`.execute(
    db,
  );
  return new Map(
    rows.map(({ attribution_id, is_test, has_its_buyer }) => [
      attribution_id,
      { isTest: is_test, hasItsBuyer: has_its_buyer },
    ]),
  );
}
