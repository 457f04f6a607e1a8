import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import type { Pages } from '../platform/page.ts';
import type { Programs } from '../publishers/programs.ts';
import { getTransactionRoute } from './get-transaction-route.ts';
import { listTransactionsRoute } from './list/list-transactions-route.ts';
import { createTransactionsRoute } from './record/create-transactions-route.ts';
import type { RecordQueue } from './record/record-queue.ts';
import type { CountStatus, ReversePayment } from './update-transactions.ts';
import { updateTransactionsRoute } from './update-transactions-route.ts';

export interface AttributionDeps {
  db: Db;
  /** Database from which lists are read, possibly a replica. */
  lists: Db;
  clock: Clock;
  programs: Programs;
  recordQueue: RecordQueue;
  pages: Pages;
  reversePayment: ReversePayment;
  countStatus: CountStatus;
}

/** Registers operations 1 to 4 of the contract. */
export function attributionRoutes(
  app: App,
  { db, lists, clock, programs, recordQueue, pages, reversePayment, countStatus }: AttributionDeps,
): void {
  getTransactionRoute(app, { db });
  createTransactionsRoute(app, { db, clock, programs, recordQueue });
  listTransactionsRoute(app, { db, lists, pages });
  updateTransactionsRoute(app, { db, reversePayment, countStatus });
}
