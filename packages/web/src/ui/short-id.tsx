import classes from './short-id.module.css';

/** Characters of an ID that a list shows at most. */
const maxLength = 20;
const startLength = 8;
const endLength = maxLength - startLength - 1;
/** Characters at the end that are shown however narrow the list is. */
const lastLength = 6;

/**
 * ID in a list. A long one keeps its start and its end, which tell neighbors apart, and shows all of it as a hint. On a
 * phone, the start is cut as needed. The row's drawer shows all of it, too.
 */
export function ShortId({ id }: { id: string }) {
  if (id.length <= 2 * lastLength) return <span data-wraps>{id}</span>;
  const isLong = id.length > maxLength;
  const short = isLong ? `${id.slice(0, startLength)}…${id.slice(-endLength)}` : id;
  return (
    <span className={classes.id} data-wraps {...(isLong && { title: id })}>
      <span className={classes.start}>{short.slice(0, -lastLength)}</span>
      <span>{short.slice(-lastLength)}</span>
    </span>
  );
}
