import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { createPayout } from '../../packages/server/src/settlement/payouts/create/create-payout.ts';
import { markPayoutPaid } from '../../packages/server/src/settlement/payouts/mark-payout-paid.ts';

/** SKU in every publisher's group, with its share in percent. */
export const sku = { id: 'pass', percent: 50 };

export interface Trial {
  /** URL of the service without a trailing slash. */
  address: string;
  /** Secret keys for the publishers p0, p1, …, in that order. */
  keys: readonly string[];
  database: Database;
  expect(what: string, isSo: boolean, otherwise?: string): void;
  waitUntilPosted(): Promise<void>;
}

interface Answer {
  status: number;
  body: unknown;
}

/**
 * Tests operations that the load does not cover, with the publisher p0: reversals of posted purchases, a SKU share, linking
 * with an auth code, and a payout. Checks each status and amount.
 * @returns the number of purchases that it recorded
 */
export async function tryProgram({
  address,
  keys,
  database,
  expect,
  waitUntilPosted,
}: Trial): Promise<number> {
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${address}/v1${path}`, {
      method,
      headers: { 'x-shared-secret': keys[0] ?? '', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    };
  };
  const answers200 = async (what: string, method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await call(method, path, body);
    expect(`${what} gets 200`, answer.status === 200, `${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  const actions = ['Refund', 'Fraud', 'Chargeback'];
  for (const name of [...actions, 'kept'])
    await answers200(`a purchase with a SKU (${name})`, 'POST', '/attributions/transactions', {
      transactionId: `tried-${name}`,
      code: 'CODE0x1',
      description: 'Battle pass',
      subtotal: 1_001,
      currency: 'USD',
      transactionDate: new Date().toISOString(),
      skuId: sku.id,
    });
  await waitUntilPosted();
  const [row] = (await answers200('the purchase', 'GET', '/attributions/transactions/tried-kept')) as {
    transaction?: { memberSharePercent?: number; memberShareAmount?: number };
  }[];
  // Half of 10.01, rounded half to even.
  const { memberSharePercent, memberShareAmount } = row?.transaction ?? {};
  expect(
    "the SKU's share applies",
    memberSharePercent === sku.percent && memberShareAmount === 500,
    JSON.stringify(row),
  );
  for (const action of actions)
    await answers200(
      `${action} of a posted purchase`,
      'PATCH',
      `/attributions/transactions/tried-${action}`,
      {
        action,
      },
    );

  const issued = (await answers200('an auth code', 'GET', '/manage/members/p-1/authCode')) as {
    authCode?: string;
  };
  await answers200('its link', 'POST', '/manage/members/link', {
    playerId: 'p-1',
    authCode: issued.authCode ?? '',
  });

  const { payouts: made } = await createPayout(database.db, serviceActor, {
    publisherId: 'p0',
    groupId: 'main',
    currency: null,
    asOf: null,
  });
  const [payout] = made;
  expect(
    'one payout covers everything due',
    made.length === 1 && (payout?.totalMinor ?? 0n) > 0n,
    `${made.length} payouts`,
  );
  const paidOut = await call('PATCH', '/attributions/transactions/tried-kept', { action: 'Refund' });
  expect('a refund after the payout gets 409', paidOut.status === 409, `${paidOut.status}`);
  if (payout !== undefined)
    await markPayoutPaid(
      { clock: systemClock, needsAnotherPerson: async () => false },
      database.db,
      serviceActor,
      { publisherId: 'p0', payoutId: payout.batchId, totalMinor: payout.totalMinor },
    );
  const [paid] = (await answers200('the paid purchase', 'GET', '/attributions/transactions/tried-kept')) as {
    transaction?: { memberPaid?: boolean };
  }[];
  expect('the purchase is marked paid', paid?.transaction?.memberPaid === true, JSON.stringify(paid));
  return actions.length + 1;
}
