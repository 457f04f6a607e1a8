import { type Attribution, type CallOptions, money, type Purchase } from '../src/index.ts';

/** Returns a purchase with an id. */
export const purchaseOf = (transactionId: string, changes: Partial<Purchase> = {}): Purchase => ({
  transactionId,
  code: 'alice',
  description: 'Battle pass',
  subtotal: money('9.99', 'USD'),
  transactionDate: new Date('2026-05-01T12:00:00Z'),
  ...changes,
});

const terms = { revShare: 25, startDate: new Date('2031-01-01'), endDate: '2031-01-02T00:00:00Z' };

type Query = CallOptions & Record<string, unknown>;

/** One call of each operation, by operationId. Lists are read to the end of their first page. */
export const calls: Readonly<
  Record<string, (client: Attribution, query: Query, id: string) => Promise<unknown>>
> = {
  ping: (client, query) => client.ping(query),
  listGroups: (client, query) => client.groups(query),
  createTransactions: (client, query, id) => client.transactions.record(purchaseOf(id), query),
  listTransactions: (client, query) => client.transactions.list(query).pages().next(),
  getTransaction: (client, query, id) => client.transactions.get(id, query),
  updateTransactions: (client, query, id) => client.transactions.update(id, { action: 'Fraud' }, query),
  refundTransaction: (client, query, id) => client.transactions.refund(id, { refundId: 'r' }, query),
  refundTransactions: (client, query, id) =>
    client.transactions.refundAll([{ transactionId: id, refundId: 'r' }], query),
  listRefunds: (client, query, id) => client.transactions.refunds(id, query),
  reinstateRefund: (client, query, id) => client.transactions.reinstate(id, 'r', { reason: 'won' }, query),
  listMembers: (client, query) => client.members.list(query).pages().next(),
  getMemberByCode: (client, query) => client.members.get('ALICE', query),
  getMemberById: (client, query) => client.members.getById('acc_alice', query),
  getMemberByPlayer: (client, query) => client.members.getByPlayer('p-1', query),
  generateMember: (client, query, id) => client.members.generate({ playerId: id }, query),
  getAuthCode: (client, query, id) => client.members.authCode(id, query),
  linkMember: (client, query, id) => client.members.link({ playerId: id, authCode: 'AAAA-AAAA' }, query),
  getPlayerCode: (client, query, id) => client.playerCodes.get(id, query),
  attachPlayerCode: (client, query, id) => client.playerCodes.attach(id, { code: 'ALICE' }, query),
  endPlayerCode: (client, query, id) => client.playerCodes.end(id, query),
  nameOrder: (client, query, id) => client.orders.name('shop', id, { code: 'ALICE' }, query),
  getPlayerReferrals: (client, query, id) => client.referrals.ofPlayer(id, query).pages().next(),
  getCodeReferrals: (client, query) => client.referrals.ofCode('ALICE', query).pages().next(),
  getReferralCode: (client, query, id) => client.referrals.codeOf(id, query),
  listTiers: (client, query) => client.tiers.list(query).pages().next(),
  getTier: (client, query) => client.tiers.get('7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', query),
  listScheduledRevShares: (client, query) => client.schedules.list(query).pages().next(),
  createScheduledRevShare: (client, query) => client.schedules.create(terms, query),
  replaceScheduledRevShare: (client, query, id) => client.schedules.replace(id, terms, query),
  deleteScheduledRevShare: (client, query, id) => client.schedules.delete(id, query),
  listBounties: (client, query) => client.bounties.list(query).pages().next(),
  getBounty: (client, query, id) => client.bounties.get(id, query),
  getMemberProgress: (client, query) => client.bounties.progressOf('acc_alice', query).pages().next(),
  completeReward: (client, query, id) => client.bounties.completeReward(id, { referenceId: 'f' }, query),
  recordEvent: (client, query, id) =>
    client.bounties.recordEvent({ eventId: id, eventCode: 'level', code: 'ALICE', playerId: 'p' }, query),
};
