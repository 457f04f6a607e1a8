import { expect } from 'vitest';
import { toTierId } from '../../src/platform/ids.ts';
import { publishersToPost } from '../../src/settlement/post/post-rows.ts';
import { verifyLedgerSince } from '../../src/settlement/verify/verify-ledger.ts';
import { operations } from '../money.ts';
import { expectedMoney, readMoney } from './books.ts';
import { History } from './history.ts';
import { diedWords, type Surroundings } from './life.ts';
import { GroupModel } from './model.ts';
import { type Random, randomOf } from './random.ts';
import { makeGroups, randomShares } from './wave.ts';

/** Some histories of one publisher, side by side, and some of their rounds; nothing else decides what is done. */
export interface Script {
  seed: number;
  histories: readonly number[];
  rounds: readonly number[];
}

/** What was not as the model says. */
export class Deviation extends Error {
  readonly round: number;
  /** Those it may be of. */
  readonly histories: readonly number[];

  constructor(round: number, histories: readonly number[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.round = round;
    this.histories = histories;
  }
}

/** Where a place's choices come from, beside the histories' own. */
const places = { shares: 1, history: 2, posting: 3, proving: 4, jumping: 5 };

/** @throws Deviation */
export async function run(around: Surroundings, { seed, histories, rounds }: Script): Promise<void> {
  const { publisherId, service } = around;
  const { db } = service.testDatabase.database;
  const groups = histories.map(
    (index) => new GroupModel(`${publisherId}-${index}`, randomShares(randomOf(seed, places.shares, index))),
  );
  const tierIds = await makeGroups(db, publisherId, groups);
  const all = groups.map(
    (group, at) =>
      new History(
        group,
        tierIds.get(group) ?? toTierId(''),
        around,
        randomOf(seed, places.history, histories[at] ?? 0).next(),
      ),
  );
  /** @throws Deviation of the first history in which something is not as it should be */
  const each = async (round: number, work: (history: History) => Promise<void>): Promise<void> => {
    const outcomes = await Promise.allSettled(all.map(work));
    const failed = outcomes.findIndex(({ status }) => status === 'rejected');
    const outcome = outcomes[failed];
    if (outcome?.status !== 'rejected') return;
    const said = [String(outcome.reason), ...(all[failed]?.log ?? [])].join('\n');
    throw new Deviation(round, [histories[failed] ?? 0], new Error(said, { cause: outcome.reason }));
  };
  /** @throws Deviation of all histories, or of the one whose money is not right */
  const check = async (round: number): Promise<void> => {
    // Now and then of all publishers, in the middle of what the others do.
    const whose = randomOf(seed, places.proving, round).oneIn(4) ? null : publisherId;
    const verdict = await verifyLedgerSince(db, { publisherId: whose, all: true, savesProgress: false });
    if (!verdict.isSound) throw new Deviation(round, histories, JSON.stringify(verdict));
    const money = await readMoney(db, publisherId);
    await each(round, async (history) => {
      expect(money.get(history.group.groupId) ?? []).toEqual(expectedMoney(history.group));
      await history.expectShown();
    });
  };

  for (const round of rounds) {
    around.jump(randomOf(seed, places.jumping, round));
    const random = randomOf(seed, places.posting, round);
    const how = random.pick(['before', 'meanwhile', 'not']);
    if (how === 'meanwhile')
      await together([post(around, random), each(round, (history) => history.stepWhilePosting(round))]);
    if (how !== 'not') {
      await post(around, random);
      for (const history of all) history.posted();
    }
    await each(round, (history) => history.step(round));
    await check(round);
  }
  const last = rounds.at(-1) ?? 0;
  await post(around, randomOf(seed, places.posting, last + 1));
  for (const history of all) history.posted();
  await check(last);
  await each(last, (history) => history.expectAllShown());
}

/** All of them come to their end before one that failed is told. */
async function together(doing: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(doing))
    if (outcome.status === 'rejected') throw outcome.reason;
}

/** Posts what waits; now and then a worker dies in the middle, and now and then several work at once. */
async function post({ service, crashing, publisherId }: Surroundings, random: Random): Promise<void> {
  const { db } = service.testDatabase.database;
  // The backend of a worker that died a moment ago may still have what it took: nothing is left once it is gone.
  const postAll = async (): Promise<void> => {
    do await operations.postRows(db, publisherId);
    while ((await publishersToPost(db)).includes(publisherId));
  };
  if (random.oneIn(3)) {
    const crash = random.oneIn(4) ? { afterCommit: 1 } : { beforeStatement: 1 + random.below(6) };
    await operations
      .postRows(crashing.db(crash), publisherId)
      .catch((error: unknown) => expect(String(error)).toMatch(diedWords));
  }
  await together(random.oneIn(3) ? [postAll(), postAll(), postAll()] : [postAll()]);
}
