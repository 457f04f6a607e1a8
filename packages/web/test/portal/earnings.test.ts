import { describe, expect, test } from 'vitest';
import { bounty } from '../../../server/test/bounties.ts';
import { operations } from '../../../server/test/money.ts';
import { testActor } from '../../../server/test/test-actor.ts';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const portal = await usePortalPages();
const { creator, visitAs, makeGroup, earn, settle, create, markPaid, refund, provisionGroup, db } = portal;

describe.skipIf(!hasBrowser)('a creator reads', () => {
  test('why a purchase earned its amount, with the same arithmetic as the API, and its refund', async () => {
    await makeGroup('why', 'holdDays: 30,');
    const { transactionId } = await earn('why', 'A', 999, {
      transactionId: 'order-of-the-buyer',
      memberSharePercent: 50,
      description: 'Battle pass',
    });
    await earn('why', 'A', 2_000, { transactionDate: '2024-04-02T12:00:00.000Z', description: 'Hat' });
    await settle();
    const person = await creator('why@example.com', 'acc_why_A');
    const page = await visitAs(person, '/earnings');
    await page.getByRole('heading', { name: 'May 2024' }).getByText('5.00 USD').waitFor();
    await page.getByRole('heading', { name: 'April 2024' }).getByText('20.00 USD').waitFor();
    await expectFits(page);
    await page.getByRole('link', { name: 'Battle pass' }).click();
    await page.getByRole('heading', { name: 'Battle pass' }).waitFor();
    const earningId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { explanation, earning } = (await person.get(`/earnings/${earningId}/explain?publisher=aurora`))
      .body;
    expect(explanation).toMatchObject({
      subtotalMinor: '999',
      percent: 50,
      exact: '499.5',
      shareMinor: '500',
    });
    await page.getByText('9.99 × 50% = 4.995 → 5.00 USD, rounded').waitFor();
    await page.getByText(earning.reference).waitFor();
    await page.getByText('Set by Aurora Games for this purchase').waitFor();
    await expectFits(page);
    expect(await page.content()).not.toContain(transactionId);
    await refund(transactionId, { refundId: 'half', amount: 499, reason: 'Refund' });
    await page.reload();
    await page.getByRole('heading', { name: 'Since then' }).waitFor();
    await page.getByText('−2.50').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'May 2024' }).getByText('2.50 USD').waitFor();
    await page.getByLabel('Month').selectOption('2024-04');
    await page.getByRole('link', { name: 'Battle pass' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Hat' }).waitFor();
    await page.getByLabel('Status').selectOption('Fraud');
    await page.getByText('No purchase matches these filters.').waitFor();
  });

  test('that a payout’s money came back, and that it is owed again', async () => {
    await makeGroup('back', 'holdDays: 0,');
    const person = await creator('back@example.com', 'acc_back_A');
    const page = await visitAs(person, '/payouts');
    await page.getByText('No payouts yet').waitFor();
    await expectFits(page);
    await earn('back', 'A', 4_520);
    await settle();
    const [batch] = await create('back');
    const payoutId = batch?.batchId ?? '';
    const set = async (result: 'Sent' | 'Returned', note: string | null) => {
      const [row] = (await person.get('/payouts?publisher=aurora')).body.rows;
      await operations.setResults(db(), testActor, {
        publisherId: 'aurora',
        payoutId,
        results: [{ line: 1, reference: row.reference, result, note, problem: null }],
        isDryRun: false,
      });
    };
    await set('Sent', null);
    await set('Returned', 'Account closed');
    await markPaid(payoutId);
    await page.reload();
    await page.getByRole('link', { name: 'Returned by your bank' }).click();
    await page.getByText('Reason: Account closed').waitFor();
    await page.getByText('45.20 USD is in your balance again, and will be in a later payout.').waitFor();
    await expectFits(page);
    await page.getByRole('link', { name: 'See your payout method' }).click();
    await page.getByText('Enter where Aurora Games should pay you.').waitFor();
    const earnings = await visitAs(person, '/earnings');
    await earnings.getByText(/Payout \d+ was returned/).waitFor();
  });

  test('the rates now and coming, and bounties with what is missing', async () => {
    await provisionGroup(
      'soon',
      `revShare: 10, holdDays: 0, tiers: [ { name: Gold, revShare: 20 } ], skuRevShares: [ { skuId: skin, revShare: 5 } ],
       schedules: [ { startDate: "2090-01-01T00:00:00Z", endDate: "2090-02-01T00:00:00Z", revShare: 40 } ],
       members: [ { id: acc_soon_A, name: A, playerId: p-soon, tier: Gold, codes: [ { code: M-A, group: soon } ] } ],
       bounties: ${JSON.stringify([
         bounty({
           name: 'Yen month',
           objectives: [
             { name: 'Sell in yen', type: 'Purchase', condition: 'Amount', count: 1_000, currency: 'JPY' },
           ],
           rewards: [{ name: 'Bonus', type: 'Payment', amount: 12_345, currency: 'BHD' }],
         }),
       ])}`,
    );
    const person = await creator('soon@example.com', 'acc_soon_A');
    const page = await visitAs(person, '/earnings');
    await page.getByText('No earnings yet').waitFor();
    await expectFits(page);
    await page.getByRole('link', { name: 'Your rates' }).click();
    await page.getByText('Your tier: Gold').waitFor();
    await page.getByText('20%').first().waitFor();
    await page.getByText('40%').waitFor();
    await page.getByText('skin').waitFor();
    await expectFits(page);
    await earn('soon', 'A', 300, { currency: 'JPY' });
    await settle();
    const bounties = await visitAs(person, '/bounties');
    await bounties.getByRole('heading', { name: 'Yen month' }).waitFor();
    await bounties.getByText('300 JPY of 1,000 JPY · 700 JPY to go').waitFor();
    await bounties.getByText('Bonus: 12.345 BHD').waitFor();
    await expectFits(bounties);
    await bounties.getByLabel('Show').selectOption('over');
    await bounties.getByText('You didn’t take part in any bounty').waitFor();
  });
});
