import type { Group, Groups, Pong } from './api.generated.ts';
import { Bounties } from './bounties.ts';
import { type Call, callOf, mapRaw } from './call.ts';
import { toError } from './errors.ts';
import { Members } from './members.ts';
import { listGroups, ping } from './operations.ts';
import { Orders } from './orders.ts';
import { PlayerCodes } from './player-codes.ts';
import { Referrals } from './referrals.ts';
import { Resource } from './resource.ts';
import { Schedules } from './schedules.ts';
import type { CallOptions, ConnectionOptions } from './send.ts';
import { Tiers } from './tiers.ts';
import { Transactions } from './transactions.ts';

/**
 * Client of the service's API for a publisher's back end, with a secret key. Create one, and use it for all requests.
 *
 * Requests that can be repeated without a second effect are retried up to three times after a lost connection, a timeout
 * or the statuses 408, 429, 502, 503 and 504. Every call throws a `RequestError`, or the reason of an aborted signal.
 */
export class Attribution extends Resource {
  readonly transactions: Transactions;
  readonly orders: Orders;
  readonly playerCodes: PlayerCodes;
  readonly referrals: Referrals;
  readonly members: Members;
  readonly tiers: Tiers;
  readonly schedules: Schedules;
  readonly bounties: Bounties;

  /** @throws TypeError in a browser, where a secret key must not be; use `@creator-attribution/client/public` */
  constructor(options: ConnectionOptions) {
    if (options.key.startsWith('svc_sk_') && isBrowser())
      throw new TypeError('A secret key must not be used in a browser. Revoke it, and use a public key.');
    const connection = { ...options, toError, newRequestId: () => crypto.randomUUID() };
    super(connection);
    this.transactions = new Transactions(connection);
    this.orders = new Orders(connection);
    this.playerCodes = new PlayerCodes(connection);
    this.referrals = new Referrals(connection);
    this.members = new Members(connection);
    this.tiers = new Tiers(connection);
    this.schedules = new Schedules(connection);
    this.bounties = new Bounties(connection);
  }

  /**
   * Tests the key.
   *
   * ```sh
   * curl $BASE/v1/attributions/ping -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws Unauthorized if the key is not valid
   */
  ping(options: CallOptions = {}): Call<Pong> {
    return this.call<Pong>(ping, options);
  }

  /**
   * Returns all creator groups of the publisher, even if the key belongs to one of them.
   *
   * ```sh
   * curl $BASE/v1/manage/groups -H "X-SHARED-SECRET: $KEY"
   * ```
   */
  groups(options: CallOptions = {}): Call<Group[]> {
    return callOf(mapRaw(this.raw<Groups>(listGroups, options), ({ data }) => data.groups));
  }
}

/** True in a page or in one of its workers. Server runtimes have neither global. */
const isBrowser = (): boolean => 'document' in globalThis || 'importScripts' in globalThis;
