import type {
  CodeReferralPage,
  GetCodeReferralsData,
  GetPlayerReferralsData,
  GetReferralCodeData,
  Referral,
  ReferralPage,
} from './api.generated.ts';
import type { Call } from './call.ts';
import { getCodeReferrals, getPlayerReferrals, getReferralCode } from './operations.ts';
import { numberedPages, type Pages } from './pages.ts';
import { type Options, Resource } from './resource.ts';

/** Reads of the players who support creators, which a public key may call. Only secret keys see who the players are. */
export class Referrals extends Resource {
  /**
   * Lists the players whose code in force is one of the creator's with this `playerId`, 100 on a page unless `pageSize` (1 to
   * 100) says otherwise. Each of the `.pages()` also has the creator's codes and the number of supporters (`totalCount`).
   *
   * ```sh
   * curl $BASE/v1/referrals/player/p-1 -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws PlayerNotInGroup while reading, if no approved member of the group has the id
   */
  ofPlayer(playerId: string, options: Options<GetPlayerReferralsData> = {}): Pages<ReferralPage, Referral> {
    const path = { playerId };
    return numberedPages(
      (page = options.page) =>
        this.call<ReferralPage>(getPlayerReferrals, { ...options, ...(page && { page }) }, { path }),
      ({ referrals }) => referrals,
    );
  }

  /**
   * Lists the players whose code in force is one of the creator's who has this code, as `ofPlayer` does.
   *
   * ```sh
   * curl $BASE/v1/referrals/code/ALICE -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws ReferralAccountNotFound while reading, if the code credits no one in the group
   */
  ofCode(code: string, options: Options<GetCodeReferralsData> = {}): Pages<CodeReferralPage, Referral> {
    const path = { code };
    return numberedPages(
      (page = options.page) =>
        this.call<CodeReferralPage>(getCodeReferrals, { ...options, ...(page && { page }) }, { path }),
      ({ referrals }) => referrals,
    );
  }

  /**
   * Returns the code that credits the creator with this `playerId`.
   *
   * ```sh
   * curl $BASE/v1/referrals/player/p-1/code -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws ReferralAccountNotFound if no approved member with an approved code has the id
   */
  codeOf(playerId: string, options: Options<GetReferralCodeData> = {}): Call<string> {
    return this.call<string>(getReferralCode, options, { path: { playerId } });
  }
}
