/**
 * Returns true when a text or a name anywhere in a value holds U+0000, which PostgreSQL cannot store. It does not recurse: a
 * body may be nested deeper than calls can be.
 */
export function holdsNul(value: unknown): boolean {
  const waiting = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (typeof each === 'string' && each.includes('\0')) return true;
    if (typeof each !== 'object' || each === null) continue;
    for (const [name, inner] of Object.entries(each)) waiting.push(name, inner ?? null);
  }
  return false;
}
