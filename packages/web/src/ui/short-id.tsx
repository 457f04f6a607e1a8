/** Characters of an ID that a list shows at most. */
const maxLength = 20;
const startLength = 8;
const endLength = maxLength - startLength - 1;

/**
 * ID in a list. A long one keeps its start and its end, which tell neighbors apart, and shows all of it as a hint. The
 * row's drawer shows all of it, too.
 */
export function ShortId({ id }: { id: string }) {
  if (id.length <= maxLength) return id;
  return <span title={id}>{`${id.slice(0, startLength)}…${id.slice(-endLength)}`}</span>;
}
