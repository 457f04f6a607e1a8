import type { Transaction } from './api.generated.ts';
import { ApiError, codeOf, type RejectedResponse, textOf } from './request-error.ts';

/** No creator group has the `groupId`. */
export class InvalidGroup extends ApiError {}
/** The code, or the account id, is not of an approved member of the group. */
export class CodeNotInGroup extends ApiError {}
/** No approved member of the group has the `playerId`. */
export class PlayerNotInGroup extends ApiError {}
/** The auth code is mistyped, used or replaced, or its account is not a member of the group. */
export class InvalidAuthCode extends ApiError {}
/** The auth code is more than 30 minutes old. */
export class ExpiredAuthCode extends ApiError {}
/** The account of the auth code is closed, because another account claimed it. */
export class AccountNotFound extends ApiError {}
/** The `playerId` belongs to another member of the group. */
export class PlayerAlreadyLinked extends ApiError {}
/** The account has another `playerId` in the group. */
export class MemberAlreadyLinked extends ApiError {}
/** No creator of the group has the code or `playerId` of a referral read. */
export class ReferralAccountNotFound extends ApiError {}
/** No member of the group matches. */
export class MemberNotFound extends ApiError {}
/** No bounty has the id, or no External reward of the group. */
export class BountyNotFound extends ApiError {}
/** No objective of the group's bounties uses the event code. */
export class InvalidEventCode extends ApiError {}
/** The cursor was changed, or belongs to a list with another group, other filters or another order. */
export class InvalidCursor extends ApiError {}
/** An unexpected error of the service. Report its `requestId`. */
export class UnknownError extends ApiError {}
/** The key is missing, malformed, unknown, expired or revoked. */
export class Unauthorized extends ApiError {}
/** The operation needs a secret key, but a public key was sent. */
export class Forbidden extends ApiError {}
/** There is no such purchase, tier, schedule or refund. */
export class NotFound extends ApiError {}
/** A value is missing or invalid; the message lists the mistakes. */
export class InvalidInput extends ApiError {}
/** The `status` of a list is unknown. */
export class InvalidStatus extends ApiError {}
/** The `origin` of a list is unknown. */
export class InvalidOrigin extends ApiError {}
/** The `sort` of a list is unknown. */
export class InvalidSort extends ApiError {}
/** A date of a list is not a timestamp from 1970 to 2100. */
export class InvalidDate extends ApiError {}
/** The `codeScope` of a list is unknown. */
export class InvalidCodeScope extends ApiError {}
/** `page` is not from 1 to 9999. */
export class InvalidPage extends ApiError {}
/** `pageSize` is out of the range of the list. */
export class InvalidPageSize extends ApiError {}
/** The body is larger than 5 MiB. */
export class PayloadTooLarge extends ApiError {}
/** The change is not possible with what is saved, for example because a row was already paid out. */
export class Conflict extends ApiError {}
/** Too many requests; `Retry-After` is in `headers`. */
export class RateLimited extends ApiError {}
/** The service can't accept the request at the moment; `Retry-After` is in `headers`. */
export class Unavailable extends ApiError {}

/** The group has disabled the currency of the purchase. */
export class CurrencyDisabled extends ApiError {}

/** The `transactionId` was already recorded with other content. */
export class AlreadyRecorded extends ApiError {
  /** Saved rows with the `transactionId`s of the request. Empty if they couldn't be read. */
  readonly rows: readonly Transaction[];

  constructor(rejected: RejectedResponse, rows: readonly Transaction[]) {
    super(rejected, 'AlreadyRecorded');
    this.rows = rows;
  }
}

/** Classes of the documented codes. */
export const errorClasses: Readonly<Record<string, typeof ApiError>> = {
  InvalidGroup,
  CodeNotInGroup,
  PlayerNotInGroup,
  InvalidAuthCode,
  ExpiredAuthCode,
  AccountNotFound,
  PlayerAlreadyLinked,
  MemberAlreadyLinked,
  ReferralAccountNotFound,
  MemberNotFound,
  BountyNotFound,
  InvalidEventCode,
  InvalidCursor,
  UnknownError,
  Unauthorized,
  Forbidden,
  NotFound,
  InvalidInput,
  InvalidStatus,
  InvalidOrigin,
  InvalidSort,
  InvalidDate,
  InvalidCodeScope,
  InvalidPage,
  InvalidPageSize,
  PayloadTooLarge,
  Conflict,
  RateLimited,
  Unavailable,
  CurrencyDisabled,
};

/** Creates the error of a response, with the class of its code. */
export function toError(rejected: RejectedResponse): ApiError {
  const code = codeOf(rejected.body) ?? codeWithout(rejected);
  const known = code !== null && Object.hasOwn(errorClasses, code) ? errorClasses[code] : undefined;
  return new (known ?? ApiError)(rejected, code);
}

/**
 * Names the errors whose bodies have no code: the 400s of recording and of saving a schedule. Their forms are in the API
 * document, and the words in recording's are held to the service by the tests.
 */
function codeWithout({ operation, status, body }: RejectedResponse): string | null {
  if (status !== 400) return null;
  if (operation !== 'createTransactions')
    return operation.endsWith('ScheduledRevShare') ? 'InvalidInput' : null;
  if (typeof body === 'string') return 'InvalidGroup';
  const text = textOf(body);
  if (/is not the code of an approved member|but the player had no code/.test(text)) return 'CodeNotInGroup';
  return text.includes('is disabled by the creator group') ? 'CurrencyDisabled' : 'InvalidInput';
}
