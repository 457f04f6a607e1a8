import type {
  CreateScheduledRevShareData,
  DeleteScheduledRevShareData,
  ListedScheduledRevenueShare,
  ListScheduledRevSharesData,
  ReplaceScheduledRevShareData,
  ScheduledRevenueShare,
  ScheduledRevenueSharePage,
  ScheduleTerms,
} from './api.generated.ts';
import type { Call } from './call.ts';
import {
  createScheduledRevShare,
  deleteScheduledRevShare,
  listScheduledRevShares,
  replaceScheduledRevShare,
} from './operations.ts';
import { numberedPages, type Pages } from './pages.ts';
import { type Options, type OrDates, Resource } from './resource.ts';

/** Shares that apply for a limited time. Percentages are from 1 to 100. */
export class Schedules extends Resource {
  /**
   * Lists the schedules of a group, 10 on a page unless `pageSize` (1 to 100) says otherwise.
   *
   * ```sh
   * curl $BASE/v1/manage/scheduled-rev-shares -H "X-SHARED-SECRET: $KEY"
   * ```
   */
  list(
    options: Options<ListScheduledRevSharesData> = {},
  ): Pages<ScheduledRevenueSharePage, ListedScheduledRevenueShare> {
    return numberedPages(
      (page = options.page) =>
        this.call<ScheduledRevenueSharePage>(listScheduledRevShares, { ...options, ...(page && { page }) }),
      ({ scheduledRevShares }) => scheduledRevShares,
    );
  }

  /**
   * Creates a schedule for a group, its tiers, or both, from `startDate` until before `endDate`. Never retried, because a
   * second attempt would overlap with the first: after `ConnectionFailed` or `TimedOut`, list the schedules. Avoid a
   * `revShare` of exactly 1, which the service stores as 100 percent unless it is configured otherwise.
   *
   * ```sh
   * curl $BASE/v1/manage/scheduled-rev-shares -H "X-SHARED-SECRET: $KEY" -H 'Content-Type: application/json' \
   *   -d '{"revShare":25,"startDate":"2026-12-01T00:00:00Z","endDate":"2026-12-08T00:00:00Z"}'
   * ```
   * @throws Conflict if another schedule of the group covers a part of the time
   * @throws InvalidInput if a share or a date is missing or invalid
   * @throws InvalidGroup if the group doesn't exist
   */
  create(
    terms: OrDates<ScheduleTerms>,
    options: Options<CreateScheduledRevShareData> = {},
  ): Call<ScheduledRevenueShare> {
    return this.call<ScheduledRevenueShare>(createScheduledRevShare, options, { body: terms });
  }

  /**
   * Replaces all terms of a schedule. Tier shares that are left out are removed.
   *
   * ```sh
   * curl -X PUT $BASE/v1/manage/scheduled-rev-shares/$SCHEDULE -H "X-SHARED-SECRET: $KEY" -H 'Content-Type: application/json' \
   *   -d '{"revShare":30,"startDate":"2026-12-01T00:00:00Z","endDate":"2026-12-08T00:00:00Z"}'
   * ```
   * @throws NotFound if the group has no such schedule
   * @throws Conflict if another schedule of the group covers a part of the time
   */
  replace(
    scheduledRevShareId: string,
    terms: OrDates<ScheduleTerms>,
    options: Options<ReplaceScheduledRevShareData> = {},
  ): Call<ScheduledRevenueShare> {
    const parts = { path: { scheduledRevShareId }, body: terms };
    return this.call<ScheduledRevenueShare>(replaceScheduledRevShare, options, parts);
  }

  /**
   * Deletes a schedule, and returns it. Purchases that were already recorded keep their shares. Never retried.
   *
   * ```sh
   * curl -X DELETE $BASE/v1/manage/scheduled-rev-shares/$SCHEDULE -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws NotFound if the group has no such schedule
   */
  delete(
    scheduledRevShareId: string,
    options: Options<DeleteScheduledRevShareData> = {},
  ): Call<ScheduledRevenueShare> {
    return this.call<ScheduledRevenueShare>(deleteScheduledRevShare, options, {
      path: { scheduledRevShareId },
    });
  }
}
