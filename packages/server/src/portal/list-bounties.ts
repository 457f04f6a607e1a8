import type { BountyState } from '../bounties/read/bounty-state.ts';
import { listOwnBounties, type OwnBounty } from '../bounties/read/list-own-bounties.ts';
import { listOwnMemberships, type OwnMembership } from '../members/read/list-own-memberships.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import type { Page, Pages } from '../platform/page.ts';
import { nowAt } from '../publishers/publisher-time.ts';

/** Bounty of one of a creator's groups, with the creator's progress. */
export interface BountyOfCreator extends Omit<OwnBounty, 'membershipId'> {
  membership: OwnMembership;
}

interface BountyList {
  publisherId: string;
  accountIds: readonly AccountId[];
  state: BountyState;
  cursor: string | null;
  size: number;
}

/**
 * Lists one page of the bounties of a creator's groups, latest start first. Only approved members make progress, so other
 * memberships have only bounties that are over.
 * @throws Refusal InvalidCursor
 */
export async function listBounties(
  db: Db,
  clock: Clock,
  pages: Pages,
  { publisherId, accountIds, state, cursor, size }: BountyList,
): Promise<Page<BountyOfCreator>> {
  const all = await listOwnMemberships(db, publisherId, accountIds);
  const memberships = all.filter(({ status }) => state === 'over' || status === 'Approved');
  const now = await nowAt(db, clock, publisherId);
  const page = await listOwnBounties(db, pages, { publisherId, memberships, state, cursor, size, now });
  const byId = new Map(memberships.map((membership) => [membership.membershipId, membership]));
  return {
    ...page,
    rows: page.rows.flatMap(({ membershipId, ...bounty }) => {
      const membership = byId.get(membershipId);
      return membership === undefined ? [] : [{ ...bounty, membership }];
    }),
  };
}
