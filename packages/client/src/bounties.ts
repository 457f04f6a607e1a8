import type {
  CompletedReward,
  CompleteRewardData,
  CustomEvent,
  NewCustomEvent,
  RecordEventData,
  RewardCompletion,
} from './api.generated.ts';
import { BountyLookups } from './bounty-lookups.ts';
import type { Call } from './call.ts';
import { completeReward, recordEvent } from './operations.ts';
import type { Options, OrDates } from './resource.ts';

/** Objectives for members, and their rewards. */
export class Bounties extends BountyLookups {
  /**
   * Marks a reward of the type External as given to the creator. A repeated call changes nothing: the first `referenceId`
   * remains.
   *
   * ```sh
   * curl $BASE/v1/bounties/complete-reward/$REWARD -H "X-SHARED-SECRET: $KEY" -d referenceId=fulfillment-17
   * ```
   * @throws BountyNotFound if the group has no External reward with this id
   */
  completeReward(
    rewardId: string,
    completion: RewardCompletion = {},
    options: Options<CompleteRewardData> = {},
  ): Call<CompletedReward> {
    return this.call<CompletedReward>(completeReward, options, { path: { rewardId }, body: completion });
  }

  /**
   * Records an event that a player caused, for objectives of the type Event. An `eventId` is recorded once.
   *
   * ```sh
   * curl $BASE/v1/events -H "X-SHARED-SECRET: $KEY" -H 'Content-Type: application/json' \
   *   -d '{"eventId":"e-1","eventCode":"level-10","code":"ALICE","playerId":"player-7"}'
   * ```
   * @throws InvalidEventCode if no objective of the group uses the code
   * @throws CodeNotInGroup or MemberNotFound if the member is not an approved member of the group
   * @throws Conflict if the `eventId` belongs to an event that this key can't read
   */
  recordEvent(event: OrDates<NewCustomEvent>, options: Options<RecordEventData> = {}): Call<CustomEvent> {
    return this.call<CustomEvent>(recordEvent, options, { body: event });
  }
}
