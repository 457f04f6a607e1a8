import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { applyProgram } from '../../../server/test/apply-program.ts';
import { entriesOf } from '../../../server/test/audit.ts';
import { png } from '../../../server/test/images.ts';
import { signIn } from '../../../server/test/staff.ts';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open, openAs, service } = useDashboard();
const db = () => service().testDatabase.database.db;

test.skipIf(!hasBrowser)('exports a program file that changes nothing when applied', async () => {
  const page = await open('manager', '/p/aurora/settings');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export program file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('aurora.yaml');
  const text = await textOf(await download.createReadStream());
  expect(text).toContain('publisher:\n  id: aurora\n');
  expect(await entriesOf(db(), () => applyProgram(db(), text))).toEqual([]);
});

test.skipIf(!hasBrowser)('saves the terms of a group, and lists the edits since a program file', async () => {
  const page = await open('manager', '/p/aurora/settings');
  await page.getByRole('button', { name: 'Open Aurora Creators' }).click();
  const drawer = page.getByRole('dialog', { name: 'Creator group' });
  await drawer.getByLabel('Hold period').fill('20');
  await drawer.getByRole('button', { name: 'Add currency' }).click();
  await drawer.getByLabel('Amount in USD').fill('75.5');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: /Aurora Creators/ })
    .getByText('75.50 USD')
    .waitFor();

  // The fixtures' program file sets the group's share, but not its hold.
  const other = await asRole(service(), 'manager');
  expect(await other('PUT', '/groups/moba', { ...(await versionOf('moba')), revShare: 9 })).toMatchObject({
    status: 200,
  });
  await page.reload();
  const edit = page.getByRole('row', { name: /^Group: / });
  await edit.getByText('Share: 8%').waitFor();
  await edit.getByText('Share: 9%').waitFor();
});

const versionOf = async (groupId: string): Promise<{ version: string }> => {
  const ask = await asRole(service(), 'viewer');
  const { rows } = (await ask('GET', '/groups')).body;
  return { version: rows.find((each: { groupId: string }) => each.groupId === groupId).version };
};

test.skipIf(!hasBrowser)(
  'renames the publisher for an owner, and shows settings without buttons to a viewer',
  async () => {
    const page = await open('owner', '/p/aurora/settings');
    await page.getByLabel('Name', { exact: true }).fill('Aurora Studios');
    await page.getByRole('region', { name: 'Publisher' }).getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await (await asRole(service(), 'viewer'))('GET', '/settings')).body.name)
      .toBe('Aurora Studios');

    const viewer = await open('viewer', '/p/aurora/settings', {
      size: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await viewer.getByRole('region', { name: 'Publisher' }).getByText('aurora', { exact: true }).waitFor();
    await viewer.getByRole('region', { name: 'This installation' }).waitFor();
    expect(await viewer.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await viewer.getByRole('link', { name: 'Export program file' }).count()).toBe(0);
    expect(await viewer.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  },
);

test.skipIf(!hasBrowser)(
  'forgets buyers after a confirmation, and shows the saved values after a stale edit',
  async () => {
    const page = await open('owner', '/p/aurora/settings');
    const buyers = page.getByRole('region', { name: 'Buyer data' });
    await buyers.getByText('The program file test.yaml sets values for this publisher').waitFor();
    await buyers.getByLabel('Remove buyer data').press('Space');
    await buyers.getByLabel('Days').fill('6');
    expect(await buyers.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await buyers.getByLabel('Days').fill('90');
    const other = await asRole(service(), 'owner');
    const saved = async () => (await other('GET', '/settings')).body;
    const { version } = await saved();
    await other('PUT', '/settings', { version, name: 'Aurora Interactive' });
    await buyers.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('dialog', { name: 'Remove buyer data after 90 days?' });
    expect(await question.getByRole('button', { name: 'Remove buyer data' }).isDisabled()).toBe(true);
    expect((await saved()).forgetBuyersAfterDays).toBeNull();
    await question.getByLabel('Type 90 to confirm').fill('90');
    await question.getByRole('button', { name: 'Remove buyer data' }).click();
    const notice = buyers.getByRole('group', { name: 'Someone else changed this first' });
    await notice.getByRole('row', { name: 'Remove buyer data never after 90 days' }).waitFor();
    await buyers.getByRole('button', { name: 'Save my changes' }).click();
    await question.getByLabel('Type 90 to confirm').fill('90');
    await question.getByRole('button', { name: 'Remove buyer data' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(saved).toMatchObject({ name: 'Aurora Interactive', forgetBuyersAfterDays: 90 });
    // Turning forgetting off doesn't restore buyers and needs no confirmation.
    await buyers.getByLabel('Remove buyer data').press('Space');
    await buyers.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await saved()).forgetBuyersAfterDays).toBeNull();
  },
);

test.skipIf(!hasBrowser)('sets a logo and an accent that passes, with a preview before saving', async () => {
  const page = await open('owner', '/p/aurora/settings', { size: { width: 360, height: 740 } });
  const branding = page.getByRole('region', { name: 'Branding' });
  const save = branding.getByRole('button', { name: 'Save' });
  const other = await asRole(service(), 'owner');
  const saved = async () => (await other('GET', '/branding')).body;
  await branding.getByLabel('Accent', { exact: true }).fill('#ffcc00');
  await branding.getByText('White text on #ffcc00 has a contrast of 1.51.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  const offer = branding.getByRole('button', { name: /^Use #/ });
  const nearest = (await offer.textContent())?.slice('Use '.length) ?? '';
  await offer.click();
  const buttons = branding.getByText('Accept invitation');
  const fills = () =>
    buttons.evaluateAll((all) =>
      all.map((each) => (each as unknown as { style: { background: string } }).style.background),
    );
  await expect
    .poll(async () => (await fills())[0])
    .toBe(`rgb(${[1, 3, 5].map((at) => Number.parseInt(nearest.slice(at, at + 2), 16)).join(', ')})`);

  const upload = (name: string, mimeType: string, buffer: Buffer) =>
    branding.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
  await upload('logo.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await branding.getByText('An SVG can contain scripts').waitFor();
  await upload('large.png', 'image/png', png(32, 32, { extra: 300 * 1_024 }));
  await branding.getByText('The maximum is 256 kB.').waitFor();
  expect(await saved()).toMatchObject({ accent: null, logo: null });
  await upload('logo.png', 'image/png', png(200, 50));
  await branding.getByText('200 × 50 pixels').waitFor();
  const logos = branding.getByRole('img', { name: /Aurora/ });
  expect(await logos.count()).toBe(4); // an email and a portal, light and dark
  await save.click();
  await expect.poll(saved).toMatchObject({ accent: nearest, logo: { width: 200, height: 50 } });

  await branding.getByLabel('Code link').pressSequentially('https://shop.example/');
  await save.click();
  await branding.getByText('must contain {code} once').waitFor();
  expect(await saved()).toMatchObject({ codeLink: null });
  await branding.getByLabel('Code link').press('End');
  await branding.getByLabel('Code link').pressSequentially('?code={code}');
  await save.click();
  await expect.poll(saved).toMatchObject({ codeLink: 'https://shop.example/?code={code}', accent: nearest });

  // The service now serves the saved logo.
  await expect.poll(() => logos.first().getAttribute('src')).toMatch(/^\/logos\/aurora\//);
  const widths = () =>
    logos.evaluateAll((all) => all.map((each) => (each as unknown as { naturalWidth: number }).naturalWidth));
  await expect.poll(widths).toEqual([200, 200, 200, 200]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);

  // A stale edit shows both accents, and leaves the other person's logo alone.
  await branding.getByLabel('Accent', { exact: true }).fill('0b5fff');
  await other('PUT', '/branding', { version: (await saved()).version, accent: '#aa0000', logo: null });
  await save.click();
  await branding.getByRole('row', { name: 'Accent #aa0000 0b5fff' }).waitFor();
  await branding.getByRole('button', { name: 'Use saved values' }).click();
  await branding.getByRole('button', { name: 'Choose logo' }).waitFor();
});

test.skipIf(!hasBrowser)('shows the first steps to an empty publisher', async () => {
  await service().provision('publisher: { id: empty, name: Empty Studio }');
  const page = await openAs(await signIn(service(), 'owner', { publisherId: 'empty' }), '/p/empty/settings');
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('link', { name: 'Create a creator group' }).waitFor();
});
