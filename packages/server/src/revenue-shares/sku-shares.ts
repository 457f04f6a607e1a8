import { sql } from 'kysely';
import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../platform/bounded-cache.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { Program } from '../publishers/programs.ts';

// Cached per program version, like codes. 'none' can be cached as well, because a new SKU share changes the version.
const caches = new WeakMap<Program, LRUCache<string, number | 'none'>>();
const maxCachedShares = 100_000;

/**
 * Returns a group's SKU shares.
 * @returns millionths by SKU; null for a SKU without its own share
 */
export async function skuShares(
  db: Db | Tx,
  program: Program,
  groupId: string,
  skuIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number | null>> {
  const cached = caches.get(program) ?? boundedCache<number | 'none'>(maxCachedShares);
  caches.set(program, cached);
  const shares = new Map<string, number | null>();
  const unknown: string[] = [];
  for (const skuId of skuIds) {
    const share = cached.get(`${groupId}\0${skuId}`);
    if (share === undefined) unknown.push(skuId);
    else shares.set(skuId, share === 'none' ? null : share);
  }
  if (unknown.length === 0) return shares;
  const { rows } = await sql<{ sku_id: string; share_millionths: number }>`
    select sku_id, share_millionths
    from sku_share
    where publisher_id = ${program.publisherId} and group_id = ${groupId} and sku_id = any(${unknown}::text[])`.execute(
    db,
  );
  const read = new Map(rows.map(({ sku_id, share_millionths }) => [sku_id, share_millionths]));
  for (const skuId of unknown) {
    cached.set(`${groupId}\0${skuId}`, read.get(skuId) ?? 'none');
    shares.set(skuId, read.get(skuId) ?? null);
  }
  return shares;
}
