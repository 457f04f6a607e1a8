/** Number of purchases that take one to two milliseconds to process. */
const pieceLength = 250;

type Start = () => void;

/** Work waiting for a turn of the event loop, by tenant. The first tenant gets the next turn. */
const waiting = new Map<string, Start[]>();

/**
 * Maps a list, in pieces if it is long. Each turn of the event loop processes one piece of one list, and tenants take
 * turns. Short work therefore never waits for more than one piece, no matter how many long lists are being processed.
 */
export async function inPieces<In, Out>(
  tenant: string,
  values: readonly In[],
  work: (value: In, index: number) => Out,
): Promise<Out[]> {
  if (values.length <= pieceLength) return values.map(work);
  const results: Out[] = [];
  for (const [index, value] of values.entries()) {
    if (index % pieceLength === 0) await nextTurn(tenant);
    results.push(work(value, index));
  }
  return results;
}

export function toPieces<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  const count = Math.ceil(values.length / pieceLength);
  return Array.from({ length: count }, (_, index) =>
    values.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}

/** Resolves in a later turn of the event loop that isn't shared with other waiting work. */
export function nextTurn(tenant: string): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(startNext);
    const queue = waiting.get(tenant);
    if (queue === undefined) waiting.set(tenant, [resolve]);
    else queue.push(resolve);
  });
}

function startNext(): void {
  const next = waiting.entries().next();
  if (next.done) return;
  const [tenant, queue] = next.value;
  const start = queue.shift();
  waiting.delete(tenant);
  if (queue.length > 0) waiting.set(tenant, queue); // at the end of the line
  if (waiting.size > 0) setImmediate(startNext);
  start?.();
}
