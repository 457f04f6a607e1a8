import type {
  Bounty,
  BountyDetail,
  BountyPage,
  GetBountyData,
  GetMemberProgressData,
  ListBountiesData,
  MemberProgressPage,
  NamedBountyProgress,
} from './api.generated.ts';
import type { Call } from './call.ts';
import { getBounty, getMemberProgress, listBounties } from './operations.ts';
import { numberedPages, type Pages } from './pages.ts';
import { type Options, Resource } from './resource.ts';

/** Reads of bounties, which a public key may call. */
export class BountyLookups extends Resource {
  /**
   * Lists the bounties of a group, 10 on a page unless `pageSize` (1 to 100) says otherwise.
   *
   * ```sh
   * curl $BASE/v1/bounties -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws InvalidGroup while reading, if the group doesn't exist
   */
  list(options: Options<ListBountiesData> = {}): Pages<BountyPage, Bounty> {
    return numberedPages(
      (page = options.page) => this.call<BountyPage>(listBounties, { ...options, ...(page && { page }) }),
      ({ bounties }) => bounties,
    );
  }

  /**
   * Returns a bounty, and with `includeProgress` a page of its members' progress (`page`, `pageSize`).
   *
   * ```sh
   * curl "$BASE/v1/bounties/$BOUNTY?includeProgress=true" -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws BountyNotFound if the group has no such bounty
   */
  get(bountyId: string, options: Options<GetBountyData> = {}): Call<BountyDetail> {
    return this.call<BountyDetail>(getBounty, options, { path: { bountyId } });
  }

  /**
   * Lists a member's progress, by account id: one entry for each bounty.
   *
   * ```sh
   * curl $BASE/v1/bounties/member/id/acc_alice -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws MemberNotFound while reading, if the account is not an approved member of the group
   */
  progressOf(
    memberId: string,
    options: Options<GetMemberProgressData> = {},
  ): Pages<MemberProgressPage, NamedBountyProgress> {
    const path = { memberId };
    return numberedPages(
      (page = options.page) =>
        this.call<MemberProgressPage>(getMemberProgress, { ...options, ...(page && { page }) }, { path }),
      ({ progress }) => progress,
    );
  }
}
