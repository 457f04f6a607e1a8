import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Actor, actorOf } from '../audit/actor.ts';
import type { Operations } from '../composition.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { openPages, type Pages } from '../platform/page.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import type { CommandTools } from './command-tools.ts';

export interface PublisherOptions {
  publisher: string;
  json?: boolean;
}

export interface GroupOptions extends PublisherOptions {
  group?: string;
}

export interface PageOptions {
  limit: number;
  cursor?: string;
}

export const pageOf = ({ limit, cursor }: PageOptions): { cursor: string | null; size: number } => ({
  cursor: cursor ?? null,
  size: limit,
});

export const publisherOption = (): Option =>
  new Option('--publisher <id>', 'id of the publisher').makeOptionMandatory();
export const groupOption = (): Option =>
  new Option('--group <id>', 'id of the creator group (default: the default group)');
export const jsonOption = (): Option => new Option('--json', 'print JSON');
export const reasonOption = (): Option => new Option('--reason <text>', 'reason, for the audit log');
export const limitOption = (max: number, fallback: number): Option =>
  new Option('--limit <number>', `number of entries, 1 to ${max}`)
    .argParser((text) => {
      const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      if (limit < 1 || limit > max)
        throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
      return limit;
    })
    .default(fallback);
export const cursorOption = (): Option =>
  new Option('--cursor <cursor>', 'cursor of the next page, as printed at the end of a page');

/** Dependencies of a command's action. */
export interface Work {
  db: Db;
  sealer: Sealer;
  /** User running the command. */
  actor: Actor;
  pages(): Promise<Pages>;
  /** Loads the operations that combine slices. Most commands don't need them and start faster without them. */
  operations(): Promise<Operations>;
}

/**
 * Wraps a command's action so that it runs with an open database, which is closed afterward.
 * @returns the callback for commander, which passes the arguments, the options and the command
 */
export const inDatabase =
  <Args extends unknown[]>(
    tools: CommandTools,
    action: (work: Work, ...args: Args) => Promise<void>,
  ): ((...args: [...Args, Command]) => Promise<void>) =>
  (...all) => {
    const command = all.at(-1) as Command;
    const args = all.slice(0, -1) as Args;
    return tools.withDatabase((db, sealer) =>
      action(
        {
          db,
          sealer,
          actor: actorOf({ kind: 'command', user: userName() }, { command: pathOf(command) }),
          pages: () => openPages(db, sealer),
          operations: async () => (await import('../composition.ts')).composeOperations(systemClock),
        },
        ...args,
      ),
    );
  };

/** Returns a command's path without the executable name, such as `payouts create`. */
function pathOf(command: Command): string {
  const words: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) words.unshift(each.name());
  return words.join(' ');
}

/** Returns the system user's name, or the user's numeric id if it has no name (as in some containers). */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Formats JSON output. Amounts become strings, since they may be too large for a JSON number. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? String(each) : each));
