import type {
  AuthCode,
  GeneratedMember,
  GenerateMemberData,
  GetAuthCodeData,
  LinkedMember,
  LinkMemberData,
  LinkRequest,
  MemberToGenerate,
} from './api.generated.ts';
import type { Call } from './call.ts';
import { MemberLookups } from './member-lookups.ts';
import { generateMember, getAuthCode, linkMember } from './operations.ts';
import type { Options } from './resource.ts';

/** Creators who are members of a group. */
export class Members extends MemberLookups {
  /**
   * Creates a member for one of your players, with a code that works immediately. For a player who already has a member,
   * returns its primary code.
   *
   * ```sh
   * curl $BASE/v1/manage/members -H "X-SHARED-SECRET: $KEY" -H 'Content-Type: application/json' \
   *   -d '{"playerId":"player-9","playerMetadata":{"displayName":"Nia"}}'
   * ```
   * @throws InvalidInput if the player's member is pending or removed
   */
  generate(member: MemberToGenerate, options: Options<GenerateMemberData> = {}): Call<GeneratedMember> {
    return this.call<GeneratedMember>(generateMember, options, { body: member });
  }

  /**
   * Issues a code, valid for 30 minutes, with which a creator takes over the member of a player. It replaces the code that
   * was issued before.
   *
   * ```sh
   * curl $BASE/v1/manage/members/player-9/authCode -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws PlayerNotInGroup if there is no such member, or a creator has taken it over
   */
  authCode(playerId: string, options: Options<GetAuthCodeData> = {}): Call<AuthCode> {
    return this.call<AuthCode>(getAuthCode, options, { path: { playerId } });
  }

  /**
   * Links a creator's account to a player. Never retried, because the first attempt may have used up the auth code: after
   * `ConnectionFailed` or `TimedOut`, look up the member with `getByPlayer`.
   *
   * ```sh
   * curl $BASE/v1/manage/members/link -H "X-SHARED-SECRET: $KEY" -d playerId=player-9 -d authCode=7K2M-9QXA
   * ```
   * @throws InvalidAuthCode, ExpiredAuthCode or AccountNotFound if the creator needs another code
   * @throws PlayerAlreadyLinked or MemberAlreadyLinked if the player or the account is linked to another
   * @throws RateLimited after too many failed links
   */
  link(request: LinkRequest, options: Options<LinkMemberData> = {}): Call<LinkedMember> {
    return this.call<LinkedMember>(linkMember, options, { body: request });
  }
}
