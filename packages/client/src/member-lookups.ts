import type {
  GetMemberByCodeData,
  GetMemberByIdData,
  GetMemberByPlayerData,
  ListMembersData,
  Member,
  MemberPage,
} from './api.generated.ts';
import type { Call } from './call.ts';
import { getMemberByCode, getMemberById, getMemberByPlayer, listMembers } from './operations.ts';
import { numberedPages, type Pages } from './pages.ts';
import { type Options, Resource } from './resource.ts';

/** Reads of members, which a public key may call. */
export class MemberLookups extends Resource {
  /**
   * Lists the approved, visible members of a group in the order in which they joined, 100 on a page unless `pageSize` (1 to
   * 1,000) says otherwise. Each of the `.pages()` also has the group's defaults.
   *
   * ```sh
   * curl "$BASE/v1/manage/members?pageSize=100" -H "X-SHARED-SECRET: $KEY"
   * ```
   */
  list(options: Options<ListMembersData> = {}): Pages<MemberPage, Member> {
    return numberedPages(
      (page = options.page) => this.call<MemberPage>(listMembers, { ...options, ...(page && { page }) }),
      ({ members }) => members,
    );
  }

  /**
   * Returns the approved member with a code, in upper or lower case, or with an account id.
   *
   * ```sh
   * curl $BASE/v1/manage/members/ALICE -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws CodeNotInGroup if the code is not of an approved member of the group
   * @throws RateLimited after too many codes that don't exist
   */
  get(code: string, options: Options<GetMemberByCodeData> = {}): Call<Member> {
    return this.call<Member>(getMemberByCode, options, { path: { code } });
  }

  /**
   * Returns the approved member with an account id.
   *
   * ```sh
   * curl $BASE/v1/manage/members/id/acc_alice -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws CodeNotInGroup if the account is not an approved member of the group
   */
  getById(memberId: string, options: Options<GetMemberByIdData> = {}): Call<Member> {
    return this.call<Member>(getMemberById, options, { path: { memberId } });
  }

  /**
   * Returns the approved member with one of your player ids.
   *
   * ```sh
   * curl $BASE/v1/manage/members/player/player-9 -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws PlayerNotInGroup if no approved member of the group has the id
   */
  getByPlayer(playerId: string, options: Options<GetMemberByPlayerData> = {}): Call<Member> {
    return this.call<Member>(getMemberByPlayer, options, { path: { playerId } });
  }
}
