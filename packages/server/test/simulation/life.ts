import { expect } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import type { TierId } from '../../src/platform/database/tables.generated.ts';
import { Refusal } from '../../src/platform/refusal.ts';
import type { TestService } from '../test-service.ts';
import { type Crash, type CrashingDatabase, crashError } from './crashing-database.ts';
import type { Preview } from './model/records.ts';
import type { GroupModel } from './model.ts';
import type { Random } from './random.ts';

export interface Context {
  service: TestService;
  crashing: CrashingDatabase;
  publisherId: string;
  key: string;
  /** Time on the database's clock, which decides which rows are due. */
  now(): Date;
  /** Time on the service's clock. */
  serviceNow(): Date;
  /** Sets the service's clock. Called at the start of every round. */
  jump(random: Random): void;
}

export interface Life {
  readonly context: Context;
  readonly db: Db;
  readonly group: GroupModel;
  readonly tierId: TierId;
  /** transactionIds of the group's purchases. */
  readonly purchaseIds: string[];
  readonly log: string[];
  /** Random choices of the current step. */
  random: Random;
  /** Last preview that might still be paid. */
  preview: { asOf: Date; expected: Preview } | null;
}

/** Error messages after a connection was terminated. */
export const crashMessage = /terminat|died|closed|not queryable/;

/** Sends a request without comparing the response with the API document, which would take half the time. */
export function send(
  { context: { service, key } }: Life,
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

/**
 * Runs work that makes a single commit, sometimes with a crash.
 * @returns true if the work was done; false if it crashed before its commit, or was rejected as expected
 */
export async function perhapsCrashing(
  { context: { crashing }, db, random, log }: Life,
  work: (db: Db) => Promise<unknown>,
  isAllowed = true,
): Promise<boolean> {
  if (random.oneIn(8) && isAllowed) {
    const crash: Crash = random.oneIn(4) ? { afterCommit: 1 } : { beforeStatement: 1 + random.below(16) };
    const outcome = await work(crashing.db(crash)).then(
      () => true,
      (error: unknown) => {
        // Only the crash itself proves that the commit happened; a connection may also be lost for another reason.
        if ('afterCommit' in crash) expect(String(error)).toContain(crashError);
        else expect(String(error)).toMatch(crashMessage);
        return 'afterCommit' in crash;
      },
    );
    log.push(`  with a crash ${JSON.stringify(crash)}: ${outcome ? 'done' : 'not done'}`);
    return outcome;
  }
  await expectDone(work(db), isAllowed);
  return isAllowed;
}

/** Expects the work to be done or, if it is not allowed, rejected with a Refusal. */
export async function expectDone(work: Promise<unknown>, isAllowed: boolean): Promise<void> {
  if (isAllowed) await work;
  else await expect(work).rejects.toBeInstanceOf(Refusal);
}
