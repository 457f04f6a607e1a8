import { expect } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import type { TierId } from '../../src/platform/database/tables.generated.ts';
import { Refusal } from '../../src/platform/refusal.ts';
import type { TestService } from '../test-service.ts';
import type { Crash, CrashingDatabase } from './crashing-database.ts';
import type { GroupModel, Preview } from './model.ts';
import type { Random } from './random.ts';

/** What the histories of one publisher share. */
export interface Surroundings {
  service: TestService;
  crashing: CrashingDatabase;
  publisherId: string;
  key: string;
  /** By the database's clock, which says what is due. */
  now(): Date;
  /** By the service's own. */
  serviceNow(): Date;
  /** Told at the beginning of every round. */
  jump(random: Random): void;
}

/** One group's life, as far as it has come. */
export interface Life {
  readonly around: Surroundings;
  readonly db: Db;
  readonly group: GroupModel;
  readonly tierId: TierId;
  /** The transactionIds of its purchases. */
  readonly purchaseIds: string[];
  /** What was done, one line each. */
  readonly log: string[];
  /** Of the step that goes on. */
  random: Random;
  /** The last one shown, if it may still be paid. */
  preview: { asOf: Date; its: Preview } | null;
}

/** What a service says whose connection died. */
export const diedWords = /terminat|died|closed|not queryable/;

/** Plain: comparing each of so many answers with the API's document would take half of the time. */
export function send(
  { around: { service, key } }: Life,
  method: string,
  path: string,
  body: object,
): Promise<Response> {
  return fetch(service.url + path, {
    method,
    headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** @returns whether it was done; not, when its connection died before its commit, or it was refused as it must be */
export async function perhapsCrashing(
  { around: { crashing }, db, random, log }: Life,
  work: (db: Db) => Promise<unknown>,
  isAllowed = true,
): Promise<boolean> {
  if (random.oneIn(8) && isAllowed) {
    const crash: Crash = random.oneIn(4) ? { afterCommit: 1 } : { beforeStatement: 1 + random.below(16) };
    const outcome = await work(crashing.db(crash)).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toMatch(diedWords);
        return 'afterCommit' in crash;
      },
    );
    log.push(`  with a crash ${JSON.stringify(crash)}: ${outcome ? 'done' : 'nothing was done'}`);
    return outcome;
  }
  await expectDone(work(db), isAllowed);
  return isAllowed;
}

/** It is done, or refused in the words of the service when it is not allowed. */
export async function expectDone(doing: Promise<unknown>, isAllowed: boolean): Promise<void> {
  if (isAllowed) await doing;
  else await expect(doing).rejects.toBeInstanceOf(Refusal);
}
