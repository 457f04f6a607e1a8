/**
 * Splits a list into pieces whose total weights are within a bound. An item that is heavier than the bound gets a piece
 * of its own.
 */
export function* piecesOf<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  bound: number,
): Generator<Item[]> {
  let piece: Item[] = [];
  let weight = 0;
  for (const item of items) {
    if (piece.length > 0 && weight + weightOf(item) > bound) {
      yield piece;
      piece = [];
      weight = 0;
    }
    piece.push(item);
    weight += weightOf(item);
  }
  if (piece.length > 0) yield piece;
}
