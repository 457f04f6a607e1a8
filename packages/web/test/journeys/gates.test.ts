import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

const needs = (taxCleared: boolean) =>
  service().provision(`publisher: { id: aurora, payoutsNeed: { method: false, taxCleared: ${taxCleared} } }`);

test.skipIf(!hasBrowser)(
  'sets a creator’s tax clearance, and waiting money becomes payable; a review makes it wait again',
  async () => {
    await makeGroup('gates', 'holdDays: 0, payoutMinimums: { USD: 1000 },');
    await earn('gates', 'A', 12_345);
    await earn('gates', 'B', 300);
    await needs(true);
    const page = await open('finance', '/p/aurora/creators?group=gates&open=acc_gates_A');
    const next = page.getByRole('region', { name: 'Next payout' });
    await next.getByText('No tax clearance').waitFor();
    expect(await next.textContent()).toContain('123.45');
    const gates = page.getByRole('region', { name: 'Tax and review' });
    await gates.getByText('No tax clearance. Not under review.').waitFor();

    await gates.getByRole('button', { name: 'Add tax clearance…' }).click();
    const clear = page.getByRole('dialog', { name: 'Add a tax clearance for Creator A' });
    await clear.getByRole('button', { name: 'Add clearance', exact: true }).click();
    await clear.getByText('Describe the form').waitFor();
    await clear.getByLabel('Note').fill('W-8BEN 2026-03');
    await clear.getByLabel('Last day').fill('2020-01-01');
    await clear.getByText('This day has passed.').waitFor();
    await expectAccessible(page, 'the dialog that clears tax');
    await clear.getByLabel('Last day').fill('2098-12-31');
    await clear.getByRole('button', { name: 'Add clearance', exact: true }).click();
    await gates.getByText('Tax cleared', { exact: true }).waitFor();
    await gates.getByText(/valid through .*31.* \(UTC\)/).waitFor();
    await next.getByText('Due now').waitFor();
    await next.getByText('Nothing is waiting. The next payout pays everything.').waitFor();

    await gates.getByRole('button', { name: 'Start review…' }).click();
    const review = page.getByRole('dialog', { name: 'Start a review of Creator A?' });
    await review.getByLabel('Note').fill('same bank account as Creator B');
    await review.getByRole('button', { name: 'Start review' }).click();
    await next.getByText('Under review: same bank account as Creator B').waitFor();
    expect(await gates.getByRole('button', { name: 'Start review…' }).count()).toBe(0);
    await expectAccessible(page, 'a creator under review');

    const support = await open('support', '/p/aurora/creators?group=gates&open=acc_gates_A');
    const seen = support.getByRole('region', { name: 'Tax and review' });
    await seen.getByText('same bank account as Creator B').waitFor();
    expect(await seen.getByRole('button').count(), 'support can’t change gates').toBe(0);

    await gates.getByRole('button', { name: 'End review…' }).click();
    const end = page.getByRole('dialog', { name: 'End the review of Creator A?' });
    await end.getByRole('button', { name: 'End review' }).click();
    await end.getByText('Reason is required.').waitFor();
    await end.getByLabel('Reason').fill('checked with both');
    await end.getByRole('button', { name: 'End review' }).click();
    await next.getByText('Due now').waitFor();

    await page.goto(new URL('/p/aurora/creators?group=gates&open=acc_gates_B', page.url()).href);
    await next.getByText('Below the minimum by 7.00').waitFor();
    await next.getByText('No tax clearance').waitFor();

    const owner = await open('owner', '/p/aurora/audit?target=member%3Aacc_gates_A');
    await owner.getByText('checked with both').first().waitFor();
    await owner.getByText('W-8BEN 2026-03').first().waitFor();
    await needs(false);
  },
);

test.skipIf(!hasBrowser)(
  'imports tax clearances with a bad line, and is reminded of one that ends',
  async () => {
    await makeGroup('taxes', 'holdDays: 0,');
    const page = await open('finance', '/p/aurora/payouts/tax');
    await page.getByRole('button', { name: 'Import tax clearances' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import tax clearances' });
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel('Table').fill('memberId,until\nacc_taxes_A,2098-12-31');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('The column note is missing').waitFor();
    await dialog
      .getByLabel('Table')
      .fill(
        `memberId,until,note\nacc_taxes_A,${soon},W-9\nacc_taxes_B,31.12.2098,W-8BEN\nacc_none,never,W-9`,
      );
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('1 to set, 0 unchanged, 2 rejected').waitFor();
    await dialog.getByText('Enter the last day of the clearance in until').waitFor();
    await dialog.getByText('no creator with the id acc_none').waitFor();
    await expectAccessible(page, 'verdicts on an import');
    await dialog.getByRole('button', { name: 'Save 1 tax clearance' }).click();
    await page.getByText('1 tax clearance saved').waitFor();
    await page.getByRole('row', { name: /Creator A.*Tax clearance ends soon.*W-9/ }).waitFor();

    await page.goto(new URL('/p/aurora/overview', page.url()).href);
    await page.getByRole('link', { name: '1 tax clearance ends within 30 days' }).click();
    await page.getByRole('row', { name: /Creator A/ }).waitFor();
    expect(page.url()).toContain('show=ending');
    await expectAccessible(page, 'clearances that end soon');
    await page.getByRole('button', { name: 'Revoke…' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke Creator A’s tax clearance?' });
    await revoke.getByLabel('Reason').fill('form was withdrawn');
    await revoke.getByRole('button', { name: 'Revoke clearance' }).click();
    await page.getByText('No tax clearance ends within 30 days').waitFor();
  },
);
