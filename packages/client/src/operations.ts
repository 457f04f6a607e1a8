/** Operation of the API, and its retry rule. */
export interface Operation {
  /** operationId in the API document. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its parameters in braces. */
  readonly path: string;
  /** True if sending the request again can't have a second effect, so that the client may retry it. */
  readonly isRepeatable: boolean;
  /** True if the response is plain text. */
  readonly isText?: boolean;
}

const of = (
  id: string,
  method: Operation['method'],
  path: string,
  isRepeatable: boolean = method === 'GET',
): Operation => ({ id, method, path: `/v1/${path}`, isRepeatable });

// Each operation is a constant of its own, so that bundles contain only those that they use.
const transaction = 'attributions/transactions/{transactionId}';

export const ping = /* @__PURE__ */ of('ping', 'GET', 'attributions/ping');

/** Repeatable, because a transactionId is recorded once, and `repeat=return` returns the saved rows. */
export const createTransactions = /* @__PURE__ */ of(
  'createTransactions',
  'POST',
  'attributions/transactions',
  true,
);
export const listTransactions = /* @__PURE__ */ of('listTransactions', 'GET', 'attributions/transactions');
export const getTransaction = /* @__PURE__ */ of('getTransaction', 'GET', transaction);
/** Repeatable, because only the first status change reverses money. */
export const updateTransactions = /* @__PURE__ */ of('updateTransactions', 'PATCH', transaction, true);
/** Repeatable, because a refundId is refunded once. */
export const refundTransaction = /* @__PURE__ */ of(
  'refundTransaction',
  'POST',
  `${transaction}/refunds`,
  true,
);
/** Repeatable, because refunds that were made are returned. */
export const refundTransactions = /* @__PURE__ */ of(
  'refundTransactions',
  'POST',
  'attributions/refunds',
  true,
);
export const listRefunds = /* @__PURE__ */ of('listRefunds', 'GET', `${transaction}/refunds`);
/** Repeatable, because a refund is reinstated once. */
export const reinstateRefund = /* @__PURE__ */ of(
  'reinstateRefund',
  'POST',
  `${transaction}/refunds/{refundId}/reinstate`,
  true,
);

export const listMembers = /* @__PURE__ */ of('listMembers', 'GET', 'manage/members');
export const getMemberByCode = /* @__PURE__ */ of('getMemberByCode', 'GET', 'manage/members/{code}');
export const getMemberById = /* @__PURE__ */ of('getMemberById', 'GET', 'manage/members/id/{memberId}');
export const getMemberByPlayer = /* @__PURE__ */ of(
  'getMemberByPlayer',
  'GET',
  'manage/members/player/{playerId}',
);
/** Repeatable, because a player has one member in a group. */
export const generateMember = /* @__PURE__ */ of('generateMember', 'POST', 'manage/members', true);
/** Repeatable: another code replaces the one that was not received. */
export const getAuthCode = /* @__PURE__ */ of('getAuthCode', 'GET', 'manage/members/{playerId}/authCode');
/** Never repeated, because the first attempt may have used up the auth code. */
export const linkMember = /* @__PURE__ */ of('linkMember', 'POST', 'manage/members/link');

const playerCode = 'attributions/players/{playerId}/code';
export const getPlayerCode = /* @__PURE__ */ of('getPlayerCode', 'GET', playerCode);
/** Repeatable, because the last code wins. */
export const attachPlayerCode = /* @__PURE__ */ of('attachPlayerCode', 'PUT', playerCode, true);
/** Repeatable, because ending no code is no error. */
export const endPlayerCode = /* @__PURE__ */ of('endPlayerCode', 'DELETE', playerCode, true);
/** Repeatable, because the last code wins until the purchase is recorded. */
export const nameOrder = /* @__PURE__ */ of(
  'nameOrder',
  'PUT',
  'connectors/{connectorId}/orders/{orderId}',
  true,
);

export const getPlayerReferrals = /* @__PURE__ */ of(
  'getPlayerReferrals',
  'GET',
  'referrals/player/{playerId}',
);
export const getCodeReferrals = /* @__PURE__ */ of('getCodeReferrals', 'GET', 'referrals/code/{code}');
export const getReferralCode: Operation = {
  id: 'getReferralCode',
  method: 'GET',
  path: '/v1/referrals/player/{playerId}/code',
  isRepeatable: true,
  isText: true,
};

export const listGroups = /* @__PURE__ */ of('listGroups', 'GET', 'manage/groups');
export const listTiers = /* @__PURE__ */ of('listTiers', 'GET', 'manage/tiers');
export const getTier = /* @__PURE__ */ of('getTier', 'GET', 'manage/tiers/{tierId}');

const schedule = 'manage/scheduled-rev-shares/{scheduledRevShareId}';
export const listScheduledRevShares = /* @__PURE__ */ of(
  'listScheduledRevShares',
  'GET',
  'manage/scheduled-rev-shares',
);
/** Never repeated, because the schedule of the first attempt would reject the second one. */
export const createScheduledRevShare = /* @__PURE__ */ of(
  'createScheduledRevShare',
  'POST',
  'manage/scheduled-rev-shares',
);
/** Repeatable, because the body replaces the whole schedule. */
export const replaceScheduledRevShare = /* @__PURE__ */ of('replaceScheduledRevShare', 'PUT', schedule, true);
/** Never repeated, because the second attempt would not find the schedule. */
export const deleteScheduledRevShare = /* @__PURE__ */ of('deleteScheduledRevShare', 'DELETE', schedule);

export const listBounties = /* @__PURE__ */ of('listBounties', 'GET', 'bounties');
export const getBounty = /* @__PURE__ */ of('getBounty', 'GET', 'bounties/{bountyId}');
export const getMemberProgress = /* @__PURE__ */ of(
  'getMemberProgress',
  'GET',
  'bounties/member/id/{memberId}',
);
/** Repeatable, because a reward keeps its first completion. */
export const completeReward = /* @__PURE__ */ of(
  'completeReward',
  'POST',
  'bounties/complete-reward/{rewardId}',
  true,
);
/** Repeatable, because an eventId is recorded once. */
export const recordEvent = /* @__PURE__ */ of('recordEvent', 'POST', 'events', true);
