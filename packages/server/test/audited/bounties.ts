import { sql } from 'kysely';
import { checkAll } from '../bounties.ts';
import type { AuditedOperation, House } from './house.ts';

let bounties = 0;

export const bountyText = (name: string): string =>
  `{ name: ${name}, startsAt: 2024-01-01T00:00:00Z, objectives: [ { name: one, type: Purchase, count: 1 } ], rewards: [ { name: sword, type: External } ] }`;

/** Defines a bounty. If `isReached`, a member has completed it. @returns its id */
async function define(house: House): Promise<{ groupId: string; name: string; bountyId: string }> {
  bounties += 1;
  const groupId = `rewarded${bounties}`;
  const name = `bounty-${bounties}`;
  await house.makeGroup(groupId);
  await house.provisionGroup(groupId, `bounties: [ ${bountyText(name)} ]`);
  const [found] = await house.query(sql<{ bounty_id: string }>`
    select bounty_id from bounty where publisher_id = 'aurora' and name = ${name}`);
  return { groupId, name, bountyId: found?.bounty_id ?? '' };
}

async function rewarded(house: House): Promise<{ groupId: string; rewardId: string }> {
  const { groupId, bountyId } = await define(house);
  await house.earn(groupId, 'A', 10);
  await house.settle();
  await checkAll(house.db(), new Date());
  const [given] = await house.query(sql<{ id: string }>`
    select g.progress_reward_id as id
    from progress_reward g
    join bounty_reward d on d.publisher_id = g.publisher_id and d.reward_id = g.reward_id
    where g.publisher_id = 'aurora' and d.bounty_id = ${bountyId}`);
  return { groupId, rewardId: given?.id ?? '' };
}

const noReward = '0190f000-0000-7000-8000-000000000000';
const complete = ({ service, keys }: House, rewardId: string, groupId: string) =>
  service().call('POST', `/v1/bounties/complete-reward/${rewardId}?groupId=${groupId}`, {
    key: keys().backend,
    json: {},
  });

const add = ({ runWith }: House, text: string) => runWith({ input: text }, 'bounties', 'add', '-');

export const bountyOperations: AuditedOperation[] = [
  {
    operation: 'bounties add',
    action: 'bounty.put',
    prepare: async (house) => () => add(house, bountyText('added')),
    refused: ({ runWith }) =>
      runWith({ input: bountyText('lost') }, 'bounties', 'add', '-', '--group', 'nowhere'),
  },
  {
    operation: 'bounties add',
    action: 'bounty.put',
    async prepare(house) {
      const text = bountyText('changed');
      await add(house, text);
      return () => add(house, text.replace('count: 1', 'count: 2'));
    },
    refused: (house) =>
      add(house, bountyText('refused').replace(' rewards:', ' prerequisites: [ nobody ], rewards:')),
  },
  {
    operation: 'bounties end',
    action: 'bounty.end',
    async prepare(house) {
      const { bountyId } = await define(house);
      return () => house.run('bounties', 'end', bountyId);
    },
    refused: ({ run }) => run('bounties', 'end', 'none'),
  },
  {
    operation: 'completeReward',
    action: 'bounty-reward.complete',
    async prepare(house) {
      const { groupId, rewardId } = await rewarded(house);
      return () => complete(house, rewardId, groupId);
    },
    refused: (house) => complete(house, noReward, 'main'),
  },
  {
    operation: 'bounties complete-reward',
    action: 'bounty-reward.complete',
    async prepare(house) {
      const { groupId, rewardId } = await rewarded(house);
      return () => house.run('bounties', 'complete-reward', rewardId, '--group', groupId);
    },
    refused: ({ run }) => run('bounties', 'complete-reward', noReward),
  },
];
