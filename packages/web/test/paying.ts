import { expect } from 'vitest';
import { purchase } from '../../server/test/fixtures.ts';
import { operations, settleAll } from '../../server/test/money.ts';
import { testActor } from '../../server/test/test-actor.ts';
import { transactionsPath } from '../../server/test/transactions.ts';
import type { Dashboard } from './browser.ts';

/** Test data for journeys about money. */
export interface Paying {
  /** Creates a group of aurora with members A and B, whose codes are M-A and M-B. */
  makeGroup(groupId: string, settings?: string): Promise<void>;
  /** Records and posts a purchase that earns the amount and whose hold is long over. @returns its transactionId */
  earn(
    groupId: string,
    member: 'A' | 'B',
    amount: number,
    changes?: Record<string, unknown>,
  ): Promise<string>;
  /** Marks a payout as paid without using the dashboard. */
  markPaid(payoutId: string): Promise<void>;
}

export const payingOf = ({ service, keys }: Pick<Dashboard, 'service' | 'keys'>): Paying => ({
  async makeGroup(groupId, settings = '') {
    const members = ['A', 'B'].map(
      (code) =>
        `{ id: acc_${groupId}_${code}, name: Creator ${code}, playerId: p-${code}, codes: [ { code: M-${code}, group: ${groupId} } ] }`,
    );
    await service().provision(
      `{ publisher: { id: aurora }, groups: [ { id: ${groupId}, name: ${groupId}, revShare: 10, ${settings} members: [ ${members.join(', ')} ] } ] }`,
    );
  },
  async earn(groupId, member, amount, changes = {}) {
    const json = purchase({
      code: `M-${member}`,
      subtotal: amount,
      memberSharePercent: 100,
      transactionDate: '2024-05-01T12:00:00.000Z',
      ...changes,
    });
    const path = `${transactionsPath}?groupId=${groupId}`;
    const { status } = await service().call('POST', path, { key: keys().backend, json });
    expect(status).toBe(200);
    await settleAll(service().testDatabase.database.db);
    return json.transactionId;
  },
  markPaid: (payoutId) =>
    operations.markPayoutPaid(service().testDatabase.database.db, testActor, {
      publisherId: 'aurora',
      payoutId,
    }),
});
