import { purgePublishers } from '../../api-keys/purge-publishers.ts';
import { serviceActor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { changingProgram, type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { writeStatus } from '../change/write-status.ts';
import { endApplication } from './decide-application.ts';
import { daysToDecide } from './read-applications.ts';

/** Number of applications that one commit ends. */
const atOnce = 100;

/**
 * Ends applications that no one has decided in time, so that their codes become free and others can apply. The applicants are
 * Removed, and can apply again at once.
 * @returns the number of applications
 */
export async function expireApplications(db: Db, now: Date, stopping: AbortSignal): Promise<number> {
  let expired = 0;
  await purgePublishers(db, stopping, async (publisherId) => {
    for (let ended = atOnce; ended === atOnce && !stopping.aborted; expired += ended)
      ended = await expireSome(db, publisherId, now);
    return 0;
  });
  return expired;
}

async function expireSome(db: Db, publisherId: string, now: Date): Promise<number> {
  if ((await readDue(db, publisherId, now)).length === 0) return 0;
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      // Read again under the lock, because staff may have decided some meanwhile.
      const open = await readDue(tx, publisherId, now);
      for (const each of open) await expireOne(tx, publisherId, each, now);
      return open.length;
    }),
  );
}

type Due = Awaited<ReturnType<typeof readDue>>[number];

const readDue = (db: Pick<Db, 'selectFrom'>, publisherId: string, now: Date) =>
  db
    .selectFrom('creator_application as a')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.membership_id', '=', 'a.membership_id').on('m.publisher_id', '=', publisherId),
    )
    .select(['a.membership_id', 'a.group_id', 'm.account_id'])
    .where('a.publisher_id', '=', publisherId)
    .where('a.decided_at', 'is', null)
    .where('a.expires_at', '<=', now)
    .orderBy('a.membership_id')
    .limit(atOnce)
    .execute();

async function expireOne(
  tx: ProgramTx,
  publisherId: string,
  { membership_id: membershipId, group_id, account_id }: Due,
  now: Date,
): Promise<void> {
  const reason = `Not decided within ${daysToDecide} days`;
  await endApplication(tx, { publisherId, membershipId, decision: 'Expired', reason: null, decidedAt: now });
  const before = await writeStatus(tx, { publisherId, membershipId, status: 'Removed', reason });
  if (before === null) return;
  programChanged(tx, publisherId);
  await recordChange(tx, serviceActor, {
    publisherId,
    action: 'member.remove',
    target: `member:${account_id}`,
    before: { group: group_id, status: before },
    after: { group: group_id, status: 'Removed' },
    reason,
  });
}
