/** Works on all items, a few at a time. When one fails, it fails once nothing is under way any more. */
export async function fewAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}
