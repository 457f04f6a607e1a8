import type { FastifyReply } from 'fastify';

/** Maximum number of names in a response's warning, which ends with the number of names left out, if any. */
const maxNamed = 10;
const maxNameLength = 64;
/** Characters that could end the header or look like the next warning. */
const unsafe = /[^A-Za-z0-9_.[\]$-]/g;

export function warn(reply: FastifyReply, warning: string): void {
  const before = reply.getHeader('x-warning');
  reply.header('x-warning', before === undefined ? warning : `${before}, ${warning}`);
}

export function warnOfUnknown(reply: FastifyReply, names: ReadonlySet<string>): void {
  const named = firstNames(names).map((name) => `unknown-property ${name}`);
  const others = names.size - named.length;
  warn(reply, (others > 0 ? [...named, `and ${others} more`] : named).join(', '));
}

/** Returns the first few names, made safe for a header, a log and a screen. */
export const firstNames = (names: ReadonlySet<string>): string[] =>
  [...names].slice(0, maxNamed).map(safeName);

export function safeName(name: string): string {
  if (name === '') return '(empty)';
  const cut = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}...` : name;
  return cut.replace(unsafe, '_');
}
