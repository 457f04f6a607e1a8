import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const portal = await usePortalPages();

describe.skipIf(!hasBrowser)('Profile', () => {
  test('changes the name key by key, and shows times in UTC', async () => {
    const person = await portal.creator('quokka@example.com', await portal.makeMember('moba', 'QUOKKA'));
    const page = await portal.visitAs(person, '/you', { timezoneId: 'Asia/Tokyo' });
    await page.getByRole('link', { name: 'Open profile' }).click();
    const name = page.getByLabel('Creator name');
    await expect.poll(() => name.inputValue()).toBe('QUOKKA');
    await name.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Quokka Live');
    await page.keyboard.press('Enter');
    await page.getByText('Your name is saved.').waitFor();
    expect((await person.get('/accounts')).body.rows).toMatchObject([{ name: 'Quokka Live' }]);
    await expectFits(page);
    const zone = page.getByLabel('Time zone');
    expect(await zone.locator('option').allInnerTexts()).toEqual([
      'This device’s time zone: Asia/Tokyo',
      'UTC',
    ]);
    await zone.selectOption('UTC');
    await page.reload();
    await expect.poll(() => zone.inputValue()).toBe('utc');
    await page.getByRole('link', { name: 'You', exact: true }).first().click();
    await page.getByText('Quokka Live').waitFor();
  });
});
