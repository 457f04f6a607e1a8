import { completeBounties } from '../../../server/src/bounties/complete/complete-bounties.ts';
import { bounty } from '../../../server/test/bounties.ts';
import type { Browser } from '../../../server/test/browser.ts';
import { operations } from '../../../server/test/money.ts';
import { testActor } from '../../../server/test/test-actor.ts';
import type { PortalPages } from '../portal.ts';

/** Creator with purchases, refunds, payouts, bounties and schedules, and the ids of some of them. */
export interface Earner {
  iris: Browser;
  earningId: string;
  /** Purchase that was refunded in part. */
  refundedId: string;
  /** Payout that was sent. */
  lineId: string;
  /** Payout that the bank sent back. */
  returnedLineId: string;
}

const daysFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
/** Description of purchases. */
export const longName = 'Season of the Borealis: Collector’s Battle Pass with 25 Levels';

const bounties = [
  bounty({
    name: 'Yen month',
    description: 'Sell for a thousand yen to players who support you, and get a bonus.',
    objectives: [
      { name: 'Sell in yen', type: 'Purchase', condition: 'Amount', count: 1_000, currency: 'JPY' },
      { name: 'Any purchase', type: 'Purchase', condition: 'Count', count: 25 },
    ],
    rewards: [{ name: 'Bonus', type: 'Payment', amount: 12_345, currency: 'BHD' }],
    endsAt: daysFromNow(20),
  }),
  bounty({
    name: 'First steps',
    objectives: [{ name: 'Any purchase', type: 'Purchase', condition: 'Count', count: 2 }],
    rewards: [{ name: 'Welcome bonus', type: 'Payment', amount: 500, currency: 'USD' }],
  }),
  bounty({ name: 'Winter sale', startsAt: daysFromNow(10), endsAt: daysFromNow(40) }),
  bounty({
    name: 'Summer sale',
    objectives: [{ name: 'Any purchase', type: 'Purchase', condition: 'Count', count: 1 }],
    startsAt: daysFromNow(-120),
    endsAt: daysFromNow(-1),
  }),
];

/** Creates a creator whose pages about earnings are full. */
export async function makeEarner(portal: PortalPages): Promise<Earner> {
  const { provisionGroup, record, settle, create, markPaid, refund, db } = portal;
  await provisionGroup(
    'studio',
    `name: Aurora Studio, revShare: 10, holdDays: 0, tiers: [ { name: Gold, revShare: 20 } ],
     skuRevShares: [ { skuId: skin-of-the-borealis-collector, revShare: 5 }, { skuId: pass, revShare: 7.5 } ],
     schedules: [ { startDate: "${daysFromNow(-1)}", endDate: "${daysFromNow(3)}", revShare: 25 },
                  { startDate: "${daysFromNow(10)}", endDate: "${daysFromNow(12)}", tiers: [ { tier: Gold, revShare: 30 } ] } ],
     members: [ { id: acc_iris, name: Iris, playerId: p-iris, tier: Gold, codes: [ { code: IRIS, primary: true }, { code: IRIS-OF-THE-NORTHERN-LIGHTS } ] } ],
     bounties: ${JSON.stringify(bounties)}`,
  );
  const iris = await portal.creator('iris@example.com', 'acc_iris');
  let count = 0;
  /** Records a purchase. @returns its transactionId */
  const earn = async (subtotal: number, days: number, changes: object = {}): Promise<string> => {
    count += 1;
    const transactionId = `iris-${count}`;
    const purchase = {
      ...{ transactionId, code: 'IRIS', description: longName, subtotal, currency: 'USD' },
      ...{ transactionDate: daysFromNow(-days), ...changes },
    };
    const { status } = await record(purchase, { query: '?groupId=studio' });
    if (status !== 200) throw new Error(`the purchase was rejected with ${status}`);
    return transactionId;
  };
  /** Pays what is due. @returns the creator's line */
  const pay = async (results: readonly ('Sent' | 'Returned')[]): Promise<string> => {
    await settle();
    const [batch] = await create('studio', null, 'USD');
    const payoutId = batch?.batchId ?? '';
    const [{ lineId, reference }] = (await iris.get('/payouts?publisher=aurora')).body.rows;
    for (const result of results)
      await operations.setResults(db(), testActor, {
        ...{ publisherId: 'aurora', payoutId, isDryRun: false },
        results: [
          { line: 1, reference, result, note: result === 'Sent' ? null : 'Account closed', problem: null },
        ],
      });
    await markPaid(payoutId);
    return lineId;
  };
  await earn(452_000, 100);
  await earn(99_900, 70, { code: 'IRIS-OF-THE-NORTHERN-LIGHTS', skuId: 'pass' });
  const lineId = await pay(['Sent']);
  await earn(120_000, 40, { description: '' });
  const returnedLineId = await pay(['Sent', 'Returned']);
  const refunded = await earn(30_000, 9, { memberSharePercent: 12.5 });
  await earn(7_700, 8, { currency: 'JPY' });
  await refund(refunded, { refundId: 'half', amount: 15_000, reason: 'Refund' });
  await settle();
  while ((await completeBounties(db(), 'aurora', new Date())).checked > 0) await settle();
  await earn(1_999, 0); // isn't posted yet
  const rows: { earningId: string; shareMinor: string }[] = (await iris.get('/earnings?publisher=aurora'))
    .body.rows;
  const at = (index: number): string => rows[index]?.earningId ?? '';
  return { iris, earningId: at(0), refundedId: at(2), lineId, returnedLineId };
}
