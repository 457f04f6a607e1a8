import { BountyLookups } from './bounty-lookups.ts';
import { MemberLookups } from './member-lookups.ts';
import { Referrals } from './referrals.ts';
import { ApiError } from './request-error.ts';
import type { ConnectionOptions } from './send.ts';

export type {
  Bounty,
  BountyDetail,
  BountyPage,
  CodeReferralPage,
  Member,
  MemberPage,
  Referral,
  ReferralPage,
} from './api.generated.ts';
export type { BountyLookups } from './bounty-lookups.ts';
export type { Call } from './call.ts';
export type { MemberLookups } from './member-lookups.ts';
export type { Pages } from './pages.ts';
export type { Referrals } from './referrals.ts';
export { ApiError, ConnectionFailed, RequestError, TimedOut } from './request-error.ts';
export type { CallOptions, ConnectionOptions, EndedRequest, Raw, SentRequest } from './send.ts';

/**
 * Client for browsers and games, with a public key, which may read members, referrals and bounties. To keep it small, all rejections
 * are an `ApiError`: branch on its `code`, such as `CodeNotInGroup`.
 */
export class PublicAttribution {
  readonly members: MemberLookups;
  readonly referrals: Referrals;
  readonly bounties: BountyLookups;

  /** @throws TypeError if the key is not a public key */
  constructor(options: ConnectionOptions) {
    if (!options.key.startsWith('svc_pk_')) throw new TypeError('This client needs a public key (svc_pk_…).');
    const connection = {
      ...options,
      toError: (rejected: ConstructorParameters<typeof ApiError>[0]) => new ApiError(rejected),
    };
    this.members = new MemberLookups(connection);
    this.referrals = new Referrals(connection);
    this.bounties = new BountyLookups(connection);
  }
}
