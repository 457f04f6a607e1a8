/** One to two milliseconds of what is done with a purchase. */
const pieceLength = 250;

type Start = () => void;

/** Work waiting for a turn of the event loop, by holder, next turn first. */
const waiting = new Map<string, Start[]>();

/**
 * Maps a list, a long one in pieces: one piece, of whatever list of whoever, in each turn of the event loop, and
 * holders in turn. So what is short never waits for more than a piece, however many long lists are being worked on.
 */
export async function inPieces<In, Out>(
  holder: string,
  values: readonly In[],
  work: (value: In, index: number) => Out,
): Promise<Out[]> {
  if (values.length <= pieceLength) return values.map(work);
  const results: Out[] = [];
  for (const [index, value] of values.entries()) {
    if (index % pieceLength === 0) await nextTurn(holder);
    results.push(work(value, index));
  }
  return results;
}

/** A list cut into pieces, for work that looks at several values at once. */
export function toPieces<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  const count = Math.ceil(values.length / pieceLength);
  return Array.from({ length: count }, (_, index) =>
    values.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}

/** Resolves in a later turn of the event loop, where it is alone. */
export function nextTurn(holder: string): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(startNext);
    const queue = waiting.get(holder);
    if (queue === undefined) waiting.set(holder, [resolve]);
    else queue.push(resolve);
  });
}

function startNext(): void {
  const next = waiting.entries().next();
  if (next.done) return;
  const [holder, queue] = next.value;
  const start = queue.shift();
  waiting.delete(holder);
  if (queue.length > 0) waiting.set(holder, queue); // at the end of the line
  if (waiting.size > 0) setImmediate(startNext);
  start?.();
}
