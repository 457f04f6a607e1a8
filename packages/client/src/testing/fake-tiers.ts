import { type FakeOperation, pageOf, problem } from './answers.ts';
import type { FakeGroup } from './fake-group.ts';

const ofGroup = { groupId: 'main', groupName: 'Main' };

/** Returns the reads of a fake group's tiers. */
export function fakeTierOperations(group: FakeGroup): Readonly<Record<string, FakeOperation>> {
  return {
    listTiers: ({ query }) => {
      if (group.isOther(query)) throw problem(400, 'InvalidGroup');
      const { items, ...paging } = pageOf(group.tiers, query, 10);
      const groupTiers = items.map((tier) => ({
        id: tier.id,
        name: tier.name,
        revShare: tier.revShare,
        memberCount: group.membersOf(tier).length,
      }));
      return { status: 200, body: { ...ofGroup, ...paging, groupTiers } };
    },
    getTier: ({ path, query }) => {
      if (group.isOther(query)) throw problem(404, 'InvalidGroup');
      const tier = group.tiers.find(({ id }) => id === path.tierId);
      if (tier === undefined) throw problem(404, 'NotFound');
      const { items, ...paging } = pageOf(group.membersOf(tier), query, 10);
      const members = items.map(({ groupDefaultRevShare, codeTTLInDays, ...member }) => member);
      // A single tier shows its share as a fraction, and the list as a percentage.
      const revShare = tier.revShare / 100;
      return {
        status: 200,
        body: { ...ofGroup, ...paging, id: tier.id, name: tier.name, revShare, members },
      };
    },
  };
}
