import { sql } from 'kysely';
import { expect } from 'vitest';
import { serviceActor } from '../../src/audit/actor.ts';
import { authCodeSecret, issueAuthCode } from '../../src/linking/issue-auth-code.ts';
import { Refusal } from '../../src/platform/refusal.ts';
import { loadProgram } from '../../src/publishers/programs.ts';
import { createSchedule } from '../../src/revenue-shares/schedules/create-schedule.ts';
import { deleteSchedule } from '../../src/revenue-shares/schedules/delete-schedule.ts';
import { replaceSchedule } from '../../src/revenue-shares/schedules/replace-schedule.ts';
import { operations } from '../money.ts';
import { testSealer } from '../sealer.ts';
import { testActor } from '../test-actor.ts';
import { openGates } from './gate-steps.ts';
import { type Life, perhapsCrashing } from './life.ts';
import { methodOf } from './method-steps.ts';
import { claimable } from './model/records.ts';
import { accountOf, changeShares, codeOf, months, playerOf, randomShares } from './wave.ts';

/** Creates, replaces or deletes a schedule. Recorded rows keep their shares. */
export async function editSchedule(life: Life): Promise<void> {
  const { random, group, log, db, tierId } = life;
  const { publisherId, serviceNow: now } = life.context;
  const { groupId, schedules } = group;
  const known = schedules.length > 0 && random.oneIn(2) ? random.pick(schedules) : undefined;
  if (known !== undefined && random.oneIn(3)) {
    log.push(`delete schedule ${known.id}`);
    await deleteSchedule(db, serviceActor, { publisherId, groupId, scheduleId: known.id }, now());
    schedules.splice(schedules.indexOf(known), 1);
    return;
  }
  const first = random.below(months.length - 1);
  const startsAt = months[first] ?? 0;
  const endsAt = months[Math.min(first + 1 + random.below(2), months.length - 1)] ?? 0;
  const share = random.pick([null, 300_000, 350_000]);
  const tier = share === null || random.oneIn(2) ? 450_000 : null;
  const terms = {
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    shareMillionths: share,
    tierShares: tier === null ? [] : [{ tierId, shareMillionths: tier }],
  };
  const hasRoom = group.hasRoom(startsAt, endsAt, known);
  log.push(`schedule ${known?.id ?? 'new'} ${JSON.stringify(terms)}: ${hasRoom}`);
  const saving =
    known === undefined
      ? createSchedule(db, serviceActor, { publisherId, groupId, terms })
      : replaceSchedule(db, serviceActor, { publisherId, groupId, scheduleId: known.id, terms });
  if (!hasRoom) return expect(saving).rejects.toBeInstanceOf(Refusal);
  const { scheduleId } = await saving;
  const saved = { id: scheduleId, startsAt, endsAt, group: share, tier };
  if (known === undefined) schedules.push(saved);
  else schedules.splice(schedules.indexOf(known), 1, saved);
}

export async function editShares({ random, group, log, db, context }: Life): Promise<void> {
  const shares = randomShares(random);
  log.push(`shares ${JSON.stringify(shares)}`);
  await changeShares(db, context.publisherId, group, shares);
}

export async function changeTerms(life: Life): Promise<void> {
  const { random, group, log, db, context } = life;
  group.holdDays = random.pick([0, 30, 30, 3_650]);
  group.minimumMinor = random.pick([0n, 0n, 500n, 20_000n]);
  log.push(`hold ${group.holdDays}, minimum ${group.minimumMinor}`);
  life.preview = null;
  await sql`
    update creator_group
    set hold_days = ${group.holdDays}, payout_minimums = jsonb_build_object('USD', ${Number(group.minimumMinor)}::bigint)
    where publisher_id = ${context.publisherId} and group_id = ${group.groupId}`.execute(db);
}

/**
 * Makes another member claim the claimable member, including the claimable member's earnings and payments.
 */
export async function claim(life: Life): Promise<void> {
  const { random, group, log, db } = life;
  const { publisherId, serviceNow } = life.context;
  const now = serviceNow();
  const claimer = random.below(claimable);
  log.push(`${codeOf(claimer)} claims ${codeOf(claimable)}`);
  const secret = await authCodeSecret(db, testSealer);
  const { authCode } = await issueAuthCode({ db, secret, now }, accountOf(group.groupId, claimer));
  const player = { playerId: playerOf(claimable), playerMetadata: null, displayName: null };
  const program = await loadProgram(db, publisherId);
  const linked = program?.groups.get(group.groupId);
  if (linked === undefined) throw new Error('the group does not exist');
  const isDone = await perhapsCrashing(life, (at) =>
    operations.linkAccount(at, testActor, {
      ...player,
      publisherId,
      group: linked,
      authCode,
      authCodeSecret: secret,
      sealer: testSealer,
      now,
    }),
  );
  if (!isDone) return;
  const { creators } = group;
  const reviews = await openGates(life, 'review', claimer);
  const isOfBoth = [claimer, claimable].flatMap((member) => creators.reviews.get(member) ?? []);
  expect(reviews).toHaveLength(isOfBoth.length);
  creators.claim(claimer, { reviews, method: await methodOf(life, claimer, 'current') });
}
