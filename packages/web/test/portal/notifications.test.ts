import { beforeAll, describe, expect, test } from 'vitest';
import { publishersWithNotices } from '../../../server/src/notices/take-notices.ts';
import type { Portal } from '../../../server/src/portal/create-portal.ts';
import { sendNotices } from '../../../server/src/portal/notices/send-notices.ts';
import { composeTestService } from '../../../server/test/compose-test-service.ts';
import { noticeIn } from '../../../server/test/notices.ts';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const portal = await usePortalPages();
const { service, creator, visit, visitAs, makeGroup, earn, settle, create, markPaid } = portal;

let mailing: Portal;
beforeAll(() => {
  const environment = { PORTAL_URL: `${service().url}/creators`, SMTP_URL: portal.sink().url };
  mailing = composeTestService(service().testDatabase.database, { environment }).portal;
});

describe.skipIf(!hasBrowser)('a creator', () => {
  test('is told of a payment, opens it from the email, turns these emails off, and on again', async () => {
    await makeGroup('told', 'holdDays: 0,');
    const person = await creator('told@example.com', 'acc_told_A');
    await person.post('/notifications', { subject: 'first-sale', isOn: false });
    await earn('told', 'A', 4_520);
    await settle();
    const [batch] = await create('told');
    await markPaid(batch?.batchId ?? '');
    const { background } = service().testDatabase.database;
    expect(await publishersWithNotices(background, new Date())).toEqual(['aurora']);
    expect(await sendNotices(mailing, background, 'aurora')).toBe(1);
    const mail = noticeIn(await portal.sink().next());

    const [, payoutPath = ''] = /\/creators(\/payouts\/\S+)/.exec(mail.text) ?? [];
    const opened = await visitAs(person, payoutPath);
    await opened.getByText('45.20').first().waitFor();

    const outside = await visit(`/unsubscribe#${mail.unsubscribeToken}`);
    await outside.getByRole('heading', { name: 'Emails: Payments', level: 1 }).waitFor();
    await expectFits(outside);
    await outside.getByRole('button', { name: 'Turn off' }).click();
    await outside.getByText('You won’t get these emails from any publisher.').waitFor();
    await outside.reload();
    await outside.getByText('You won’t get these emails from any publisher.').waitFor();

    const page = await visitAs(person, '/you');
    await page.getByRole('link', { name: 'Open notifications' }).click();
    const payments = page.getByRole('switch', { name: 'Payments', exact: true });
    await payments.waitFor();
    expect(await payments.isChecked()).toBe(false);
    await payments.click();
    await expect.poll(() => payments.isChecked()).toBe(true);
    const approvals = page.getByRole('switch', { name: 'Approvals' });
    await approvals.click();
    await expect.poll(() => approvals.isChecked()).toBe(false);
    await page.reload();
    await expect.poll(() => approvals.isChecked()).toBe(false);
    expect(await payments.isChecked()).toBe(true);
    await expectFits(page);
    expect((await person.get('/notifications')).body.subjects).toMatchObject([
      { subject: 'paid', isOn: true },
      { subject: 'returned', isOn: true },
      { subject: 'membership', isOn: false },
      { subject: 'first-sale', isOn: false },
      { subject: 'bounty', isOn: true },
    ]);
  });
});

describe.skipIf(!hasBrowser)('a person', () => {
  test('adds an email address with both codes, and removes it', async () => {
    const person = await portal.signedIn('first@example.com');
    const page = await visitAs(person, '/you');
    await page.getByRole('link', { name: 'Open email addresses' }).click();
    await page.getByRole('link', { name: 'Add an address' }).click();
    await page.getByLabel('Email address', { exact: true }).fill('Second@example.com');
    await page.getByRole('button', { name: 'Send codes' }).click();
    await page.getByRole('heading', { name: 'Enter both codes' }).waitFor();
    for (let index = 0; index < 2; index += 1) {
      const { to, code } = await portal.nextMail();
      const shown = to === 'second@example.com' ? 'Second@example.com' : to;
      await page.getByLabel(`Code sent to ${shown}`, { exact: true }).fill(code);
    }
    await expectFits(page);
    await page.getByRole('button', { name: 'Add address' }).click();
    await page.getByText('second@example.com', { exact: true }).waitFor();
    expect((await portal.nextMail()).to).toBe('first@example.com');
    expect((await person.get('/emails')).body.further).toMatchObject([{ email: 'second@example.com' }]);

    await page.getByRole('button', { name: 'Remove second@example.com' }).click();
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    const { to, code } = await portal.nextMail();
    expect(to).toBe('first@example.com');
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Remove address' }).click();
    await page.getByRole('link', { name: 'Add an address' }).waitFor();
    expect((await person.get('/emails')).body.further).toEqual([]);
    await portal.nextMail();
  });
});
