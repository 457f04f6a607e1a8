/**
 * Joins calls for single values into calls for many: what is asked for while one is under way is asked for by the next,
 * all at once. So however many ask, one call is under way at a time.
 * @param callMany answers for all keys, or fails for all
 * @param most keys of one call
 */
export function joinCalls<Value>(
  callMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  most: number,
): (key: string) => Promise<Value | null> {
  const waiting = new Map<string, PromiseWithResolvers<Value | null>>();
  let isCalling = false;

  const callNext = async (): Promise<void> => {
    isCalling = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, most);
      for (const [key] of batch) waiting.delete(key);
      try {
        const found = await callMany(batch.map(([key]) => key));
        for (const [key, { resolve }] of batch) resolve(found.get(key) ?? null);
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    isCalling = false;
  };

  return (key) => {
    const known = waiting.get(key);
    if (known !== undefined) return known.promise;
    const asked = Promise.withResolvers<Value | null>();
    waiting.set(key, asked);
    if (!isCalling) void callNext();
    return asked.promise;
  };
}
