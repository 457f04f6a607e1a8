/** A step of a JSON patch (RFC 6902); the others are not used. */
export interface Operation {
  op: 'add' | 'remove' | 'replace' | 'test';
  path: string;
  value?: unknown;
}

/** @throws Error in words, where a step does not fit */
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
  if (!path.startsWith('/') || last === undefined) throw new Error(`${path} is no path`);
  const place = keys.reduce<unknown>((at, key) => child(at, key), root);
  if (place === null || typeof place !== 'object') throw new Error(`${path} leads nowhere`);
  const container = place as unknown[] | Record<string, unknown>;
  const isThere = last in container;
  if (op === 'add' && Array.isArray(container)) {
    const index = last === '-' ? container.length : Number(last);
    if (!Number.isInteger(index) || index < 0 || index > container.length)
      throw new Error(`${path} is no place in a list of ${container.length}`);
    container.splice(index, 0, value);
  } else if (op === 'add') Object.assign(container, { [last]: value });
  else if (!isThere) throw new Error(`${path} is not there to ${op}`);
  else if (op === 'test') {
    if (JSON.stringify(child(container, last)) !== JSON.stringify(value))
      throw new Error(`${path} is not ${JSON.stringify(value)}`);
  } else if (op === 'replace') Object.assign(container, { [last]: value });
  else if (op === 'remove' && Array.isArray(container)) container.splice(Number(last), 1);
  else if (op === 'remove') delete (container as Record<string, unknown>)[last];
  else throw new Error(`${op} is not applied here`);
}

const child = (at: unknown, key: string): unknown =>
  at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[key] : undefined;
