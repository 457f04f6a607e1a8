import type { GetTierData, ListTiersData, Tier, TierDetail, TierPage } from './api.generated.ts';
import type { Call } from './call.ts';
import { getTier, listTiers } from './operations.ts';
import { numberedPages, type Pages } from './pages.ts';
import { type Options, Resource } from './resource.ts';

/** Revenue-share tiers of a group. */
export class Tiers extends Resource {
  /**
   * Lists the tiers of a group, 10 on a page unless `pageSize` (1 to 100) says otherwise. Shares are percentages: 20 is
   * 20 percent.
   *
   * ```sh
   * curl $BASE/v1/manage/tiers -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws InvalidGroup while reading, if the group doesn't exist
   */
  list(options: Options<ListTiersData> = {}): Pages<TierPage, Tier> {
    return numberedPages(
      (page = options.page) => this.call<TierPage>(listTiers, { ...options, ...(page && { page }) }),
      ({ groupTiers }) => groupTiers,
    );
  }

  /**
   * Returns a tier with a page of its approved members (`page`, `pageSize`). Here the share is a **fraction**: 0.2 is
   * 20 percent.
   *
   * ```sh
   * curl $BASE/v1/manage/tiers/$TIER -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws NotFound if the group has no such tier
   */
  get(tierId: string, options: Options<GetTierData> = {}): Call<TierDetail> {
    return this.call<TierDetail>(getTier, options, { path: { tierId } });
  }
}
