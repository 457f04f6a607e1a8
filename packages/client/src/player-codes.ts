import type {
  AttachPlayerCodeData,
  CodeToAttach,
  EndedPlayerCode,
  EndPlayerCodeData,
  GetPlayerCodeData,
  PlayerCode,
} from './api.generated.ts';
import type { Call } from './call.ts';
import { attachPlayerCode, endPlayerCode, getPlayerCode } from './operations.ts';
import { type Options, type OrDates, Resource } from './resource.ts';

/** Codes that players have entered, which `code: '@player'` credits. */
export class PlayerCodes extends Resource {
  /**
   * Returns the code of a player that is in force now, or was in force `at` an earlier time.
   *
   * ```sh
   * curl $BASE/v1/attributions/players/player-77/code -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws NotFound if the player has none
   */
  get(playerId: string, options: Options<GetPlayerCodeData> = {}): Call<PlayerCode> {
    return this.call<PlayerCode>(getPlayerCode, options, { path: { playerId } });
  }

  /**
   * Sets the code that a player has entered, for the group's `codeTTLInDays`. The last code wins; the same code again renews
   * it. `at` is the time at which the player entered it, if that was earlier.
   *
   * ```sh
   * curl -X PUT $BASE/v1/attributions/players/player-77/code -H "X-SHARED-SECRET: $KEY" \
   *   -H 'Content-Type: application/json' -d '{"code":"ALICE"}'
   * ```
   * @throws CodeNotInGroup if the code is not of an approved member of the group
   * @throws Conflict if it is the player's own code
   * @throws InvalidInput if `at` is in the future
   */
  attach(
    playerId: string,
    code: OrDates<CodeToAttach>,
    options: Options<AttachPlayerCodeData> = {},
  ): Call<PlayerCode> {
    return this.call<PlayerCode>(attachPlayerCode, options, { path: { playerId }, body: code });
  }

  /**
   * Ends the code of a player, from now on. A player without one is no error.
   *
   * ```sh
   * curl -X DELETE $BASE/v1/attributions/players/player-77/code -H "X-SHARED-SECRET: $KEY"
   * ```
   */
  end(playerId: string, options: Options<EndPlayerCodeData> = {}): Call<EndedPlayerCode> {
    return this.call<EndedPlayerCode>(endPlayerCode, options, { path: { playerId } });
  }
}
