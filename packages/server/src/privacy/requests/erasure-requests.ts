import { actorOf, type RequestSource } from '../../audit/actor.ts';
import { type Change, recordChange } from '../../audit/record-change.ts';
import { readCreator } from '../../members/erase/read-creator.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type PublisherOfCreator, readOwnAccounts, readPublishersOf } from '../../portal/own-accounts.ts';
import { readOpenMoney } from '../../settlement/erase/read-owed.ts';

/** Days between a request and the erasure, in which the person can withdraw it. */
export const withdrawalDays = 14;
const dayMs = 86_400_000;

/** Request of a person to erase all of their creator accounts. */
export interface ErasureRequest {
  requestedAt: Date;
  /** Time from which the erasure can start. */
  dueAt: Date;
  /** True once the erasure has started, so that it can't be withdrawn anymore. */
  hasStarted: boolean;
}

/** Money that an erasure has to wait for. */
export interface OpenMoneyAtPublisher {
  publisher: PublisherOfCreator;
  /** Amounts by currency, negative if the creator owes money. */
  owed: { currency: string; amountMinor: bigint }[];
  /** True if purchases aren't posted yet, or a line of a payout is on its way. */
  isOnItsWay: boolean;
}

interface Requester {
  userId: string;
  now: Date;
  source: RequestSource;
}

/** Returns the person's request; null if there is none. */
export async function readErasureRequest(db: Db | Tx, userId: string): Promise<ErasureRequest | null> {
  const row = await db
    .selectFrom('erasure_request')
    .select(['requested_at', 'due_at', 'started_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { requestedAt: row.requested_at, dueAt: row.due_at, hasStarted: row.started_at !== null };
}

/**
 * Requests the erasure of all accounts of a person. A second request changes nothing.
 * @param useUpCode uses up the code that confirms the request, in its commit
 * @returns the request, and whether it is new
 */
export const requestErasure = (
  db: Db,
  { userId, now, source }: Requester,
  useUpCode: (tx: Tx) => Promise<void>,
): Promise<{ request: ErasureRequest; isNew: boolean }> =>
  inTransaction(db, async (tx) => {
    await lockPerson(tx, userId);
    await useUpCode(tx);
    const earlier = await readErasureRequest(tx, userId);
    if (earlier !== null) return { request: earlier, isNew: false };
    const dueAt = new Date(now.getTime() + withdrawalDays * dayMs);
    await tx
      .insertInto('erasure_request')
      .values({ user_id: userId, requested_at: now, due_at: dueAt })
      .execute();
    await recordAtPublishers(
      tx,
      { userId, source },
      {
        action: 'erasure.request',
        after: { dueAt: dueAt.toISOString() },
      },
    );
    return { request: { requestedAt: now, dueAt, hasStarted: false }, isNew: true };
  });

/**
 * Withdraws a person's request. Without a request, it changes nothing.
 * @returns true if there was a request
 * @throws Refusal Conflict once the erasure has started
 */
export const withdrawErasure = (db: Db, { userId, source }: Omit<Requester, 'now'>): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await lockPerson(tx, userId);
    const request = await readErasureRequest(tx, userId);
    if (request === null) return false;
    if (request.hasStarted)
      throw new Refusal('Conflict', 'The erasure has started. It can no longer be withdrawn.');
    await tx.deleteFrom('erasure_request').where('user_id', '=', userId).execute();
    await recordAtPublishers(tx, { userId, source }, { action: 'erasure.withdraw' });
    return true;
  });

/** Returns the money at the person's publishers that an erasure has to wait for, by publisher. */
export async function readOpenMoneyOf(db: Db | Tx, userId: string): Promise<OpenMoneyAtPublisher[]> {
  const open: OpenMoneyAtPublisher[] = [];
  for (const { accountId } of await readOwnAccounts(db, userId)) {
    const { accountIds, publishers } = await readCreator(db, accountId);
    const named = [...(await readPublishersOf(db, accountIds)).values()].flat();
    for (const { publisherId, membershipIds } of publishers) {
      const { owed, openPayouts, hasUnposted } = await readOpenMoney(db, { publisherId, membershipIds });
      const isOnItsWay = hasUnposted || openPayouts.length > 0;
      const publisher = named.find((each) => each.publisherId === publisherId);
      if (publisher !== undefined && (owed.length > 0 || isOnItsWay))
        open.push({ publisher, owed, isOnItsWay });
    }
  }
  return open;
}

/** Locks a person, so that requests, withdrawals and the start of the erasure run one after another. */
export const lockPerson = (tx: Tx, userId: string) =>
  tx.selectFrom('portal_user').select('user_id').where('user_id', '=', userId).forUpdate().execute();

/** Adds an audit entry at each publisher of each account. */
async function recordAtPublishers(
  tx: Tx,
  { userId, source }: Omit<Requester, 'now'>,
  change: Pick<Change, 'action' | 'after'>,
): Promise<void> {
  const accounts = await readOwnAccounts(tx, userId);
  const publishers = await readPublishersOf(
    tx,
    accounts.map(({ accountId }) => accountId),
  );
  for (const { accountId, name } of accounts)
    for (const { publisherId } of publishers.get(accountId) ?? [])
      await recordChange(tx, actorOf({ kind: 'creator', accountId, name }, source), {
        ...change,
        publisherId,
        target: `member:${accountId}`,
      });
}
