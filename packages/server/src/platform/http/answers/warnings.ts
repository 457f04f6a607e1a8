import type { FastifyReply } from 'fastify';

/** Warnings that one answer names; how many more there are is the last one. */
const maxNamed = 10;
const maxNameLength = 64;
/** Whatever could end a header, or be taken for the next warning. */
const unsafe = /[^A-Za-z0-9_.[\]$-]/g;

/** Adds a warning to the answer's X-Warning, behind those that it has. */
export function warn(reply: FastifyReply, warning: string): void {
  const before = reply.getHeader('x-warning');
  reply.header('x-warning', before === undefined ? warning : `${before}, ${warning}`);
}

/** Warns of properties and query parameters that were ignored. */
export function warnOfUnknown(reply: FastifyReply, names: ReadonlySet<string>): void {
  const named = firstNames(names).map((name) => `unknown-property ${name}`);
  const others = names.size - named.length;
  warn(reply, (others > 0 ? [...named, `and ${others} more`] : named).join(', '));
}

/** Writes the first names so that a header, a log and a screen can carry them. */
export const firstNames = (names: ReadonlySet<string>): string[] =>
  [...names].slice(0, maxNamed).map(safeName);

/** Writes a name that a client made up in safe characters, and not too many. */
export function safeName(name: string): string {
  if (name === '') return '(empty)';
  const cut = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}...` : name;
  return cut.replace(unsafe, '_');
}
