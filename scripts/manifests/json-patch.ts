/** JSON patch operation (RFC 6902) of a kind that our files use. */
export interface Operation {
  op: 'add' | 'remove' | 'replace' | 'test';
  path: string;
  value?: unknown;
}

/** Applies operations to a copy of a value. @throws Error with a message if an operation does not apply */
export function patched<Value>(value: Value, operations: readonly Operation[]): Value {
  const copy = structuredClone(value);
  for (const operation of operations) apply(copy, operation);
  return copy;
}

function apply(root: unknown, { op, path, value }: Operation): void {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  if (!path.startsWith('/') || last === undefined) throw new Error(`${path} is not a valid path`);
  const place = keys.reduce<unknown>((at, key) => child(at, key), root);
  if (place === null || typeof place !== 'object') throw new Error(`${path} does not exist`);
  const container = place as unknown[] | Record<string, unknown>;
  const isThere = last in container;
  if (op === 'add' && Array.isArray(container)) {
    const index = last === '-' ? container.length : Number(last);
    if (!Number.isInteger(index) || index < 0 || index > container.length)
      throw new Error(`${path} is not an index in a list of ${container.length}`);
    container.splice(index, 0, value);
  } else if (op === 'add') Object.assign(container, { [last]: value });
  else if (!isThere) throw new Error(`${path} does not exist, so it can't be used with ${op}`);
  else if (op === 'test') {
    if (JSON.stringify(child(container, last)) !== JSON.stringify(value))
      throw new Error(`${path} is not ${JSON.stringify(value)}`);
  } else if (op === 'replace') Object.assign(container, { [last]: value });
  else if (op === 'remove' && Array.isArray(container)) container.splice(Number(last), 1);
  else if (op === 'remove') delete (container as Record<string, unknown>)[last];
  else throw new Error(`${op} is not supported`);
}

const child = (at: unknown, key: string): unknown =>
  at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[key] : undefined;
