/**
 * Combines calls for single keys into calls for many keys. One call runs at a time. Keys requested while a
 * call is running are included in the next call.
 * @param callMany returns the values of all keys, or fails for all of them
 * @param maxKeys maximum number of keys in one call
 */
export function joinCalls<Value>(
  callMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  maxKeys: number,
): (key: string) => Promise<Value | null> {
  const waiting = new Map<string, PromiseWithResolvers<Value | null>>();
  let isCalling = false;

  const callNext = async (): Promise<void> => {
    isCalling = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, maxKeys);
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
    const result = Promise.withResolvers<Value | null>();
    waiting.set(key, result);
    if (!isCalling) void callNext();
    return result.promise;
  };
}
