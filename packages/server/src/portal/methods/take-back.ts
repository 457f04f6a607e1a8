import { sql } from 'kysely';
import type { RequestSource } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { requireCreator } from '../../members/read/require-creator.ts';
import { markTakenBack } from '../../notices/end-notices.ts';
import type { MethodNoticeKind } from '../../notices/kinds.ts';
import type { MethodKind } from '../../payees/destination.ts';
import { ownName } from '../../payees/save-own-method.ts';
import { takeBackMethods } from '../../payees/take-back-methods.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { isGateOpenAt } from '../../settlement/gates/gates.ts';
import { readGates } from '../../settlement/gates/read-gates.ts';
import { saveGates } from '../../settlement/gates/save-gates.ts';
import { readHoldTimes } from '../../settlement/holds/save-holds.ts';
import { lockForPosting } from '../../settlement/settlement-lock.ts';
import { creatorActor, lockMembersOfAccounts } from './changing-methods.ts';
import { type NoticeKey, noSuchLink } from './take-back-links.ts';

/** Change of a payout method that an email told of. */
export interface ToldChange {
  publisherId: string;
  accountId: AccountId;
  kind: MethodKind;
  hint: string;
  change: 'entered' | 'removed';
  changedAt: Date;
  expiresAt: Date;
  isTakenBack: boolean;
}

/** @throws Refusal NotFound for a change that can no longer be taken back */
export async function readToldChange(db: Db | Tx, key: NoticeKey, now: Date): Promise<ToldChange> {
  const { publisherId, noticeId } = key;
  if (!isRowId(noticeId)) throw noSuchLink();
  const { rows } = await sql<{
    account_id: AccountId;
    notice: MethodNoticeKind;
    changed_at: Date;
    expires_at: Date;
    taken_back_at: Date | null;
    kind: MethodKind;
    hint: string;
  }>`
    select n.account_id, n.kind as notice, n.changed_at, n.expires_at, n.taken_back_at, p.kind, p.hint
    from creator_notice n
    join payee_method p on p.publisher_id = ${publisherId} and p.method_id = n.method_id
    where n.publisher_id = ${publisherId} and n.notice_id = ${noticeId}::uuid`.execute(db);
  const [row] = rows;
  if (row === undefined || row.expires_at <= now) throw noSuchLink();
  const { account_id: accountId, kind, hint, notice } = row;
  return {
    ...{ publisherId, accountId, kind, hint, change: changeOf(notice) },
    changedAt: row.changed_at,
    expiresAt: row.expires_at,
    isTakenBack: row.taken_back_at !== null,
  };
}

/** Returns the change that an email about a payout method told of. */
export const changeOf = (kind: MethodNoticeKind): ToldChange['change'] =>
  kind === 'method-entered' ? 'entered' : 'removed';

/** Note of the review, which the staff read. */
const note =
  'The creator says that someone else changed the payout method ("This wasn’t me"). Check with the creator before you end this review.';

/**
 * Takes back a change of a payout method, and every later change in the creator's name. Signs the creator's person out
 * everywhere, and puts the creator under review, so that no payout pays until the staff have looked at it.
 * @throws Refusal NotFound for a change that can no longer be taken back; Conflict if it was already taken back
 */
export async function takeBack(
  db: Db,
  sealer: Sealer,
  key: NoticeKey,
  { source, now }: { source: RequestSource; now: Date },
): Promise<ToldChange> {
  const { publisherId } = await readToldChange(db, key, now);
  return inTransaction(db, async (tx) => {
    await lockForPosting(tx, publisherId);
    return changingProgram(tx, publisherId, async (tx) => {
      const told = await readToldChange(tx, key, now);
      if (told.isTakenBack)
        throw new Refusal(
          'Conflict',
          'This change was already undone. Payouts wait until the publisher has checked it.',
        );
      const { accountId } = await requireCreator(tx, { publisherId, memberId: told.accountId });
      const accountIds = [...new Set([told.accountId, accountId])];
      await lockMembersOfAccounts(tx, publisherId, accountIds);
      const actor = await creatorActor(tx, accountId, source);
      await takeBackMethods(tx, sealer, actor, {
        ...{ publisherId, accountId, accountIds },
        since: told.changedAt,
        at: await readMoment(tx),
      });
      await markTakenBack(tx, { publisherId, accountIds, since: told.changedAt, now });
      await signOut(tx, accountIds);
      const times = await readHoldTimes(tx, publisherId);
      const reviews = await readGates(
        tx,
        publisherId,
        sql`g.account_id = ${accountId} and g.kind = 'review' and g.set_by_kind = 'creator'
            and ${isGateOpenAt(times.clockAt)} limit 1`,
      );
      if (reviews.length === 0) {
        const by = { kind: 'creator', id: accountId, name: ownName } as const;
        const review = { accountId, kind: 'review', from: times.clockAt, until: null, note } as const;
        const [gate] = await saveGates(tx, by, { publisherId, ...times }, [review]);
        await recordChange(tx, actor, {
          publisherId,
          action: 'member.review',
          target: `member:${accountId}`,
          after: { gate, from: times.clockAt, until: null },
          reason: note,
        });
      }
      return { ...told, isTakenBack: true };
    });
  });
}

/** Ends all sessions of the people of accounts. */
async function signOut(tx: Tx, accountIds: readonly AccountId[]): Promise<void> {
  await sql`
    delete from portal_session
    where user_id in (
      select user_id from portal_user_account where account_id = any(${[...accountIds]}::text[]))`.execute(
    tx,
  );
}
