/**
 * Returns whether any string or property name in a value contains U+0000, which PostgreSQL can't store. Doesn't
 * recurse, because a body may be nested deeper than the call stack allows.
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
