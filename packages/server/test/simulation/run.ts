import { expect } from 'vitest';
import { toTierId } from '../../src/platform/ids.ts';
import { publishersToPost } from '../../src/settlement/post/post-rows.ts';
import { verifyLedgerSince } from '../../src/settlement/verify/verify-ledger.ts';
import { operations } from '../money.ts';
import { beginCreators } from './begin-creators.ts';
import { expectedMoney, readMoney } from './books.ts';
import { closeMonth } from './close-months.ts';
import { History } from './history.ts';
import { type Context, crashMessage } from './life.ts';
import { GroupModel } from './model.ts';
import { type Random, randomOf } from './random.ts';
import { makeGroups, randomShares } from './wave.ts';

/**
 * One publisher's histories that run side by side, and their rounds. The script determines everything that
 * happens.
 */
export interface Script {
  seed: number;
  histories: readonly number[];
  rounds: readonly number[];
}

export class Deviation extends Error {
  readonly round: number;
  /** Histories that may have caused the difference. */
  readonly histories: readonly number[];

  constructor(round: number, histories: readonly number[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.round = round;
    this.histories = histories;
  }
}

/** Numbers that keep different kinds of random choices independent of each other. */
const places = { shares: 1, history: 2, posting: 3, verifying: 4, jumping: 5, creators: 6, months: 7 };

/** Runs a script. @throws Deviation */
export async function run(context: Context, { seed, histories, rounds }: Script): Promise<void> {
  const { publisherId, service } = context;
  const { db } = service.testDatabase.database;
  const groups = histories.map(
    (index) => new GroupModel(`${publisherId}-${index}`, randomShares(randomOf(seed, places.shares, index))),
  );
  const tierIds = await makeGroups(db, publisherId, groups);
  await beginCreators(db, publisherId, groups, randomOf(seed, places.creators));
  const all = groups.map(
    (group, at) =>
      new History(
        group,
        tierIds.get(group) ?? toTierId(''),
        context,
        randomOf(seed, places.history, histories[at] ?? 0).next(),
      ),
  );
  /**
   * Runs work for all histories.
   * @throws Deviation for the first history that fails
   */
  const each = async (round: number, work: (history: History) => Promise<void>): Promise<void> => {
    const outcomes = await Promise.allSettled(all.map(work));
    const failed = outcomes.findIndex(({ status }) => status === 'rejected');
    const outcome = outcomes[failed];
    if (outcome?.status !== 'rejected') return;
    const message = [String(outcome.reason), ...(all[failed]?.log ?? [])].join('\n');
    throw new Deviation(round, [histories[failed] ?? 0], new Error(message, { cause: outcome.reason }));
  };
  /**
   * Verifies the ledger, and compares all amounts with the model.
   * @throws Deviation for all histories, or for the one whose amounts differ
   */
  const check = async (round: number): Promise<void> => {
    // Sometimes verifies all publishers while the others make changes.
    const verified = randomOf(seed, places.verifying, round).oneIn(4) ? null : publisherId;
    const verdict = await verifyLedgerSince(db, { publisherId: verified, all: true, savesProgress: false });
    if (!verdict.isSound) throw new Deviation(round, histories, JSON.stringify(verdict));
    const month = randomOf(seed, places.months, round);
    if (month.oneIn(3))
      await closeMonth(context, month).catch((error: unknown) => {
        throw new Deviation(round, histories, error);
      });
    const money = await readMoney(db, publisherId);
    await each(round, async (history) => {
      expect(money.get(history.group.groupId) ?? []).toEqual(expectedMoney(history.group));
      await history.expectShown();
    });
  };

  for (const round of rounds) {
    context.jump(randomOf(seed, places.jumping, round));
    const random = randomOf(seed, places.posting, round);
    const posting = random.pick(['before', 'during', 'not']);
    if (posting === 'during')
      await together([post(context, random), each(round, (history) => history.stepWhilePosting(round))]);
    if (posting !== 'not') {
      await post(context, random);
      for (const history of all) history.posted();
    }
    await each(round, (history) => history.step(round));
    await check(round);
  }
  const last = rounds.at(-1) ?? 0;
  await post(context, randomOf(seed, places.posting, last + 1));
  for (const history of all) history.posted();
  await check(last);
  await each(last, (history) => history.expectAllShown());
}

/** Waits for all promises before throwing the first error. */
async function together(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(promises))
    if (outcome.status === 'rejected') throw outcome.reason;
}

/** Posts all rows. Sometimes a worker crashes, and sometimes several work concurrently. */
async function post({ service, crashing, publisherId }: Context, random: Random): Promise<void> {
  const { db } = service.testDatabase.database;
  // A crashed worker's backend may still hold its locks, so this repeats until all rows are posted.
  const postAll = async (): Promise<void> => {
    do await operations.postRows(db, publisherId);
    while ((await publishersToPost(db)).includes(publisherId));
  };
  if (random.oneIn(3)) {
    const crash = random.oneIn(4) ? { afterCommit: 1 } : { beforeStatement: 1 + random.below(6) };
    await operations
      .postRows(crashing.db(crash), publisherId)
      .catch((error: unknown) => expect(String(error)).toMatch(crashMessage));
  }
  await together(random.oneIn(3) ? [postAll(), postAll(), postAll()] : [postAll()]);
}
