import { readFileSync } from 'node:fs';
import { type ProgramFile, readProgramFile } from '../read-program.ts';
import { type DemoCreator, mainCreators, mobaCreators, royaleCreators } from './demo-creators.ts';

const dayMs = 86_400_000;

const baseFile = new URL('../../../../../examples/demo-program.yaml', import.meta.url);

/** Returns examples/demo-program.yaml. */
export const readDemoProgram = (): ProgramFile =>
  readProgramFile(readFileSync(baseFile, 'utf8'), 'examples/demo-program.yaml');

/**
 * Returns a program file that extends examples/demo-program.yaml with more creators, another group, and
 * schedules and bounties whose dates are relative to now.
 */
export function readMoreOfProgram(now: Date): ProgramFile {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const day = (days: number): string => new Date(midnight + days * dayMs).toISOString();
  const program = {
    publisher: { id: 'aurora' },
    groups: [
      {
        id: 'main',
        skuRevShares: [{ skuId: 'founders-pack', revShare: 12.5 }],
        schedules: mainSchedules(day, daysToFriday(midnight)),
        bounties: mainBounties(day),
        members: mainCreators.map(memberOf),
      },
      { id: 'moba', members: mobaCreators.map(memberOf) },
      {
        id: 'royale',
        name: 'Aurora Royale Creators',
        revShare: 7.5,
        holdDays: 14,
        payoutMinimums: { USD: 2_000, EUR: 2_000 },
        schedules: [{ startDate: day(-40), endDate: day(-33), revShare: 15 }],
        members: royaleCreators.map(memberOf),
      },
    ],
  };
  return readProgramFile(JSON.stringify(program), 'demo.yaml');
}

type Day = (days: number) => string;

/** Returns the number of days until the next Friday after today, 1 to 7. */
const daysToFriday = (midnight: number): number => ((5 - new Date(midnight).getUTCDay() + 6) % 7) + 1;

/**
 * Returns three schedules: one in the past, one that ends on Friday, and one three weeks later. The gaps leave weekends
 * free for trying out schedule planning.
 */
const mainSchedules = (day: Day, friday: number) => [
  { startDate: day(-92), endDate: day(-85), revShare: 15 },
  {
    startDate: day(friday - 16),
    endDate: day(friday),
    tiers: [
      { tier: 'Gold', revShare: 25 },
      { tier: 'Silver', revShare: 18 },
    ],
  },
  {
    startDate: day(friday + 21),
    endDate: day(friday + 24),
    revShare: 20,
    tiers: [{ tier: 'Gold', revShare: 40 }],
  },
];

const mainBounties = (day: Day) => [
  {
    id: 'summer-cup',
    name: 'Season Cup',
    description: 'A hundred purchases in two months.',
    startsAt: day(-150),
    endsAt: day(-90),
    objectives: [{ id: 'summer-cup-sales', name: 'Purchases', type: 'Purchase', count: 100 }],
    rewards: [{ id: 'summer-cup-money', name: 'Prize', type: 'Payment', amount: 2_500, currency: 'USD' }],
  },
  {
    id: 'sprint-60',
    name: 'Sprint: sixty sales',
    description: 'Sixty purchases of any item before the sprint ends.',
    startsAt: day(-20),
    endsAt: day(25),
    objectives: [{ id: 'sprint-60-sales', name: 'Purchases', type: 'Purchase', count: 60 }],
    rewards: [
      { id: 'sprint-60-skin', name: 'Sprinter skin', type: 'External', externalId: 'skin-sprinter' },
      { id: 'sprint-60-money', name: 'Bonus', type: 'Payment', amount: 5_000, currency: 'USD' },
    ],
  },
  {
    id: 'new-faces',
    name: 'New faces',
    description: 'Bring in forty players who have never bought anything. Repeat it as often as you like.',
    limit: null,
    startsAt: day(-30),
    objectives: [{ id: 'new-faces-players', name: 'New players', type: 'NewPlayers', count: 40 }],
    rewards: [{ id: 'new-faces-pack', name: 'Emote pack', type: 'Sku', sku: { id: 'emote-pack' } }],
  },
  {
    id: 'stream-night',
    name: 'Stream night',
    description: 'Ten viewers who stay for an hour.',
    startsAt: day(-3),
    endsAt: day(11),
    objectives: [
      { id: 'stream-night-hours', name: 'Hours watched', type: 'Event', eventCode: 'stream-hour', count: 10 },
    ],
    rewards: [{ id: 'stream-night-badge', name: 'Badge', type: 'External', externalId: 'badge-night' }],
  },
  {
    id: 'winter-launch',
    name: 'Launch week',
    description: 'Sell the battle pass in its first week.',
    startsAt: day(12),
    endsAt: day(19),
    objectives: [
      {
        id: 'winter-launch-passes',
        name: 'Battle passes',
        type: 'Purchase',
        count: 25,
        skus: [{ id: 'battle-pass', name: 'Battle pass' }],
      },
    ],
    rewards: [
      { id: 'winter-launch-money', name: 'Launch bonus', type: 'Payment', amount: 10_000, currency: 'USD' },
    ],
  },
];

const memberOf = ({ name, code, tier, status }: DemoCreator) => ({
  id: `acc_${code.toLowerCase()}`,
  name,
  playerId: `creator-${code.toLowerCase()}`,
  ...(tier !== undefined && { tier }),
  ...(status !== undefined && { status }),
  codes: [{ code, primary: true }],
});
