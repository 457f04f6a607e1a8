import { LRUCache } from 'lru-cache';

/**
 * A map that forgets what was asked for longest ago when it is full. It grows as it fills: told its `max`, LRUCache takes
 * room for all of it at once, 2 MB for 100,000 entries, and there is one for every program in memory. A look at it takes 50 ns
 * more than one at a Map.
 * @param most entries
 * @param keptMs what is older is not found; for good when absent
 */
export const boundedCache = <Value extends NonNullable<unknown>>(
  most: number,
  keptMs?: number,
): LRUCache<string, Value> =>
  new LRUCache({
    maxSize: most,
    sizeCalculation: () => 1,
    ...(keptMs !== undefined && { ttl: keptMs }),
  });
