import type { AuditedOperation } from './house.ts';

/**
 * Returns the operation that applies a program file with one change, either to the publisher or to its group
 * `main`.
 */
const provisioned = (action: string, group: string, wrong: string): AuditedOperation => ({
  operation: 'provision',
  action,
  prepare:
    async ({ runWith }) =>
    () =>
      runWith({ input: fileOf(group) }, 'provision', '-'),
  refused: ({ runWith }) => runWith({ input: fileOf(`${group}, ${wrong}`) }, 'provision', '-'),
});

const fileOf = (group: string): string => `{ publisher: { id: aurora }, groups: [ { id: main, ${group} } ] }`;

const noSuchTier =
  'schedules: [ { startDate: 2050-01-01T00:00:00Z, endDate: 2051-01-01T00:00:00Z, tiers: [ { tier: None, revShare: 5 } ] } ]';
const takenPlayer = 'members: [ { id: acc_takes, playerId: p-2 } ]';

export const programOperations: AuditedOperation[] = [
  {
    operation: 'provision',
    action: 'publisher.put',
    prepare:
      async ({ runWith }) =>
      () =>
        runWith({ input: '{ publisher: { id: aurora, name: Named } }' }, 'provision', '-'),
    refused: ({ runWith }) =>
      runWith(
        { input: '{ publisher: { id: aurora, name: Other }, groups: [ { id: new-one } ] }' },
        'provision',
        '-',
      ),
  },
  {
    operation: 'provision',
    action: 'group.make-default',
    prepare:
      async ({ runWith }) =>
      () =>
        runWith(
          { input: '{ publisher: { id: rival }, groups: [ { id: hidden, default: true } ] }' },
          'provision',
          '-',
        ),
    refused: ({ runWith }) =>
      runWith(
        { input: '{ publisher: { id: rival }, groups: [ { id: main, default: true }, { id: new-one } ] }' },
        'provision',
        '-',
      ),
  },
  {
    operation: 'provision',
    action: 'key.create',
    prepare:
      async ({ runWith }) =>
      () =>
        runWith(
          { input: '{ publisher: { id: aurora, apiKeys: [ { name: of-file, kind: secret } ] } }' },
          'provision',
          '-',
        ),
    refused: ({ runWith }) =>
      runWith(
        {
          input: '{ publisher: { id: aurora, apiKeys: [ { name: no-group, kind: secret, group: none } ] } }',
        },
        'provision',
        '-',
      ),
  },
  provisioned('group.put', 'name: Renamed', takenPlayer),
  provisioned('tier.put', 'tiers: [ { name: Silver, revShare: 15 } ]', takenPlayer),
  provisioned('sku-share.put', 'skuRevShares: [ { skuId: hat, revShare: 4 } ]', takenPlayer),
  provisioned(
    'schedule.put',
    'schedules: [ { startDate: 2040-01-01T00:00:00Z, endDate: 2041-01-01T00:00:00Z, revShare: 12 } ]',
    takenPlayer,
  ),
  provisioned(
    'bounty.put',
    'bounties: [ { name: Of file, startsAt: 2040-01-01T00:00:00Z, objectives: [ { name: one, type: Purchase, count: 1 } ], rewards: [ { name: r, type: External } ] } ]',
    takenPlayer,
  ),
  provisioned(
    'member.put',
    'members: [ { id: acc_of_file, playerId: p-of-file, codes: [ { code: OF-FILE }, { code: OF-2, group: main } ], identities: [ { provider: twitch, id: "4711" } ] } ]',
    noSuchTier,
  ),
];
