import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Actor, actorOf } from '../audit/actor.ts';
import type { Operations } from '../composition.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { openPages, type Pages } from '../platform/page.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import type { CommandTools } from './command-tools.ts';

/** What most commands are told: whose, and how to print. */
export interface PublisherOptions {
  publisher: string;
  json?: boolean;
}

/** The same for what is a group's. */
export interface GroupOptions extends PublisherOptions {
  group?: string;
}

/** The same for a list that can be long. */
export interface PageOptions {
  limit: number;
  cursor?: string;
}

export const publisherOption = (): Option =>
  new Option('--publisher <id>', 'the publisher').makeOptionMandatory();
export const groupOption = (): Option =>
  new Option('--group <id>', 'the creator group; the default group when absent');
export const jsonOption = (): Option => new Option('--json', 'print JSON');
export const reasonOption = (): Option => new Option('--reason <text>', 'why, for the audit log');
export const limitOption = (most: number, usual: number): Option =>
  new Option('--limit <number>', `how many, 1 to ${most}`)
    .argParser((text) => {
      const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      if (limit < 1 || limit > most)
        throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
      return limit;
    })
    .default(usual);
export const cursorOption = (): Option =>
  new Option('--cursor <cursor>', 'go on after a page: the cursor that it ended with');

/** What an action has while it works. */
export interface Work {
  db: Db;
  sealer: Sealer;
  /** Who types the command. */
  actor: Actor;
  pages(): Promise<Pages>;
  /** Those that need other rooms; most commands need none, and start sooner without loading them. */
  operations(): Promise<Operations>;
}

/**
 * An action of a command that works on the database: it is opened before, and closed after it.
 * @returns what commander calls: with the arguments, the options and the command itself
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
          actor: actorOf({ kind: 'command', user: userName() }, { command: wordsOf(command) }),
          pages: () => openPages(db, sealer),
          operations: async () => (await import('../composition.ts')).composeOperations(systemClock),
        },
        ...args,
      ),
    );
  };

/** The words that name a command, without the program's own: `payouts create`. */
function wordsOf(command: Command): string {
  const words: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) words.unshift(each.name());
  return words.join(' ');
}

/** In a container there may be nobody of that number. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Amounts may be larger than a JSON number holds: they are strings in what commands print. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? String(each) : each));
