import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { connectingOf } from '../connecting.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { read } = connectingOf(dashboard);

test.skipIf(!hasBrowser)(
  'connects Steam with an App ID and a key, and shows why its report can’t be read',
  async () => {
    const page = await open('developer', '/p/aurora/connectors?do=add');
    const form = page.getByRole('dialog', { name: 'Add connector' });
    await form.getByRole('radio', { name: 'Steam' }).check();
    const appId = form.getByRole('textbox', { name: 'App ID' });
    for (const typed of ['', '480.5', '480,5', '0', 'my game']) {
      await appId.fill('');
      await appId.pressSequentially(typed);
      await form.getByRole('button', { name: 'Add connector' }).click();
      await form
        .getByText(typed === '' ? 'App ID is required.' : 'Enter the App ID, a number such as 480.')
        .waitFor();
      await appId.and(page.locator(':focus')).waitFor();
    }
    await expectAccessible(page);
    await appId.fill('');
    await appId.pressSequentially('480');
    await form.getByRole('button', { name: 'Add connector' }).click();

    await page.getByRole('heading', { name: 'Steam', exact: true }).waitFor();
    const connectorId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const steam = { connectorId, provider: 'steam', path: '' };
    expect(await read(steam)).toMatchObject({ settings: { steamAppId: '480' }, hasSecret: false });
    await page.getByText(`/v1/connectors/${connectorId}/orders/ORDER_ID`).waitFor();
    expect(await page.getByText('/hooks/v1/').count()).toBe(0);
    await page.getByRole('definition').getByText('No key').waitFor();
    await page.getByRole('button', { name: 'Save key' }).click();
    await page.getByText('Publisher Web API key is required.').waitFor();
    await page.getByLabel('Publisher Web API key', { exact: true }).pressSequentially('0123456789ABCDEF');
    await page.getByRole('button', { name: 'Save key' }).click();
    await page.getByText('The key is saved. It won’t be shown again.').waitFor();
    await page.getByText('Order report').waitFor();
    await page.getByLabel('Creator code', { exact: true }).fill('alice');
    await page.getByRole('button', { name: 'Send sample' }).click();
    await page.getByRole('listitem').filter({ hasText: 'The purchase was recorded' }).waitFor();
    await expectAccessible(page);

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Edit settings' }).click();
    const settings = page.getByRole('dialog', { name: 'Edit settings' });
    expect(await settings.getByLabel('Creator code field').count()).toBe(0);
    const changed = settings.getByRole('textbox', { name: 'App ID' });
    await changed.fill('');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('App ID is required.').waitFor();
    await changed.pressSequentially('570');
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Steam changed: App ID').waitFor();
    expect((await read(steam)).settings).toEqual({ steamAppId: '570' });

    const problem = 'Steam rejected the key.';
    await service()
      .testDatabase.database.db.updateTable('connector')
      .set({ poll_failing_since: new Date(), poll_failures: 3, poll_problem: problem })
      .where('connector_id', '=', connectorId)
      .execute();
    await page.reload();
    await page.getByRole('definition').getByText('Can’t read the report').waitFor();
    await page.getByText(problem).first().waitFor();
  },
);
