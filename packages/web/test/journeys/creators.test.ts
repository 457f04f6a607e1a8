import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open, service, keys } = useDashboard();
const db = () => service().testDatabase.database.db;

beforeAll(async () => {
  if (!hasBrowser) return;
  const members = Array.from(
    { length: 51 },
    (_, index) =>
      `{ id: crew-${index}, name: Crew ${index}, playerId: crew-p${index}, status: Pending, codes: [ { code: CREW-${index} } ] }`,
  );
  await service().provision(
    `{ publisher: { id: aurora }, groups: [ { id: crew, name: Crew, revShare: 10, tiers: [ { name: Silver, revShare: 30 } ], members: [ ${members.join(', ')} ] } ] }`,
  );
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const drawer = (page: Page) => page.getByRole('dialog', { name: /Creator/ });

test.skipIf(!hasBrowser)('exports the selected creators, or all that match the filters', async () => {
  const page = await open('manager', '/p/aurora/creators?group=crew&tab=pending&limit=100');
  const saved = async (link: string): Promise<string[][]> => {
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 30_000 }),
      page
        .getByRole('link', { name: link })
        .or(page.getByRole('button', { name: link, exact: true }))
        .click(),
    ]);
    expect(download.suggestedFilename()).toBe('creators-aurora.csv');
    const path = join(mkdtempSync(join(tmpdir(), 'export-')), 'creators.csv');
    await download.saveAs(path);
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith('\ufeffid,name,codes,')).toBe(true);
    return text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, 3));
  };
  await page.getByRole('tab', { name: 'Pending (51)' }).waitFor();
  for (const name of ['Select Crew 3', 'Select Crew 12'])
    await page.getByRole('checkbox', { name, exact: true }).check();
  await page.getByText('2 creators selected').waitFor();
  expect((await saved('Export selected')).sort()).toEqual([
    ['"crew-12"', 'Crew 12', 'CREW-12'],
    ['"crew-3"', 'Crew 3', 'CREW-3'],
  ]);
  await page.getByLabel('Name, code, or ID').fill('CREW-3');
  await page.waitForURL(/q=CREW-3/);
  await button(page, 'More').click();
  await button(page, 'Export CSV').click();
  await page
    .getByRole('dialog', { name: 'Export CSV' })
    .getByText(/Group: crew · Tab: Pending · Search: CREW-3/)
    .waitFor();
  // CREW-3 and CREW-30 to CREW-39.
  expect(await saved('Download')).toHaveLength(11);
});

test.skipIf(!hasBrowser)('exports creators from the menu of a phone', async () => {
  const page = await open('manager', '/p/aurora/creators?group=main', { size: { width: 360, height: 740 } });
  await page.getByRole('tab', { name: /Approved \(\d/ }).waitFor();
  await button(page, 'More').click();
  await button(page, 'Export CSV').click();
  const dialog = page.getByRole('dialog', { name: 'Export CSV' });
  await dialog.getByText(/Group: main · Tab: Approved/).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 30_000 }),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('creators-aurora.csv');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test.skipIf(!hasBrowser)(
  'approves 50 of 51 applicants in four clicks, and names the one in conflict',
  async () => {
    const page = await open('support', '/p/aurora/creators?group=crew&limit=100');
    await page.getByText('No creators yet').waitFor();
    await page.getByRole('tab', { name: 'Pending (51)' }).click();
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
    await page.getByText('51 creators selected').waitFor();
    // In the meantime, an owner removes one of these creators and assigns the player id to another creator.
    const owner = await asRole(service(), 'owner');
    await owner('POST', '/members/crew-7/remove?group=crew', { reason: 'Withdrew' });
    await owner('POST', '/members?group=crew', { name: 'Newcomer', playerId: 'crew-p7' });
    await button(page, 'Approve').click();
    const question = page.getByRole('dialog', { name: 'Approve 51 creators?' });
    await question.waitFor();
    await question.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('50 creators approved').waitFor();
    await page
      .getByText(
        'Crew 7: Another member of group crew now has the playerId of crew-7. Change one of the two playerIds.',
      )
      .waitFor();
    await page.getByRole('tab', { name: 'Approved (51)' }).waitFor();
    await page.getByText('No pending creators').waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'checks a table with invalid lines, imports the valid lines, and names the invalid ones',
  async () => {
    const page = await open('manager', '/p/aurora/creators?group=crew');
    await button(page, 'More').click();
    await page.getByRole('link', { name: 'Import' }).click();
    const csv = [
      'id;name;codes;tier;status',
      'imp-1;First;IMP-1;Silver;',
      'imp-2;Second;CREW-3;;', // another creator's code
      'imp-3;Third;IMP-3;Bronze;',
      'imp-4;Fourth;IMP-4;;pending',
    ].join('\r\n');
    await page.setInputFiles('input[type=file]', {
      name: 'creators.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`\u{feff}${csv}`),
    });
    await page.getByLabel('New codes work in').selectOption('global');
    await button(page, 'Check').click();
    await page.getByText('2 to add, 0 to change, 0 unchanged, 2 rejected').waitFor();
    await page.getByText('crew has no tier named “Bronze”; use one of Silver.').waitFor();
    const dry = await (await asRole(service(), 'viewer'))('GET', '/members?group=crew&q=imp-');
    expect(dry.body.rows).toEqual([]);
    await button(page, 'Import 2 lines').click();
    await page.getByText('2 added, 0 changed, 0 unchanged, 2 rejected').waitFor();
    await page.getByRole('checkbox', { name: 'Only rejected lines' }).check();
    await page.getByText('The code CREW-3 belongs to another member; choose another code.').waitFor();
    await page.getByRole('link', { name: 'Back to creators' }).click();
    await page.getByLabel('Name, code, or ID').fill('IMP-1');
    await page.getByRole('cell', { name: 'First', exact: true }).waitFor();
  },
);

test.skipIf(!hasBrowser)('adds a creator, edits it, adds a code, and removes it with a reason', async () => {
  const page = await open('manager', '/p/aurora/creators?group=crew');
  await page.getByRole('tab', { name: /Approved/ }).waitFor();
  await page.keyboard.press('c');
  const form = page.getByRole('dialog', { name: 'Add creator' });
  await form.getByLabel('Name').fill('Kira');
  await form.getByLabel('Code', { exact: true }).fill('alice');
  // As a group code, it would override Alice's global code. Only this warning says so.
  await form.getByText('ALICE is a code of Alice in all groups').waitFor();
  await form.getByLabel('Where the code works').getByText('All of the creator’s groups').click();
  await form.getByText('ALICE is a code of Alice in all groups').waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText('the code alice belongs to another member').waitFor();
  await form.getByLabel('Code', { exact: true }).fill('KIRA');
  await form.getByRole('button', { name: 'Add' }).click();
  await drawer(page).getByRole('heading', { name: 'Kira' }).waitFor();
  expect(new URL(page.url()).searchParams.get('open')).toMatch(/^crew\/acc_/);

  await drawer(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Kira' });
  await edit.getByLabel('Name').fill('Kira of the crew');
  const memberId = new URL(page.url()).searchParams.get('open')?.split('/')[1] ?? '';
  const owner = await asRole(service(), 'owner');
  await edit.getByRole('button', { name: 'Save' }).click();
  await drawer(page).getByRole('heading', { name: 'Kira of the crew' }).waitFor();

  await drawer(page).getByRole('button', { name: 'Add code' }).click();
  await drawer(page).getByLabel('New code').fill('KIRA-2');
  await drawer(page).getByRole('button', { name: 'Add code', exact: true }).click();
  await drawer(page).getByText('KIRA-2', { exact: true }).waitFor();

  await drawer(page).getByRole('button', { name: 'Remove…' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove 1 creator?' });
  await removal.getByLabel('Reason').fill('Left for another game');
  await removal.getByRole('button', { name: 'Remove' }).click();
  await drawer(page).getByText('Left for another game').waitFor();
  const { body } = await owner('GET', `/members/${memberId}?group=crew`);
  expect(body).toMatchObject({ name: 'Kira of the crew', tier: null, status: 'Removed' });
});

test.skipIf(!hasBrowser)(
  'marks the entries of a pasted list, sets a tier, and adds the unknown ones',
  async () => {
    const page = await open('owner', '/p/aurora/creators?group=crew');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/members/look-up')) requests.push(request.url());
    });
    await button(page, 'Edit many…').click();
    const dialog = page.getByRole('dialog', { name: 'Edit many creators' });
    const row = (name: RegExp) => dialog.getByRole('row', { name });
    await dialog
      .getByLabel('Codes, IDs, or names')
      .fill('CREW-1, crew-2\nNOBODY\nCrew 3\tCREW-3\ncrew 1\nALICE');
    await dialog.getByText('3 creators found · 1 unknown · 1 in other groups · 1 duplicate').waitFor();
    expect(requests).toHaveLength(1);
    await row(/^CREW-1 Crew 1 (Approved|Pending)/).waitFor();
    await row(/^NOBODY Unknown/).waitFor();
    await row(/^Crew 3 · CREW-3 Crew 3/).waitFor();
    await row(/^crew 1 Already in the list/).waitFor();
    await row(/^ALICE Only in .*Aurora Creators/).waitFor();
    await dialog.getByRole('button', { name: 'Set tier for 3' }).click();
    const question = page.getByRole('dialog', { name: 'Set the tier of 3 creators?' });
    await question.getByLabel('Tier').selectOption('Silver');
    await question.getByRole('button', { name: 'Set tier' }).click();
    await page.getByText('Tier set for 3 creators').waitFor();

    await button(page, 'Edit many…').click();
    await dialog.getByLabel('Codes, IDs, or names').fill('NOBODY\nAna Vidal\nno good code é');
    await dialog.getByRole('button', { name: 'Add 3' }).click();
    // In the meantime, someone else gets the code.
    await (await asRole(service(), 'owner'))('POST', '/members?group=crew', {
      name: 'Faster',
      codes: [{ code: 'NOBODY', group: 'crew' }],
    });
    await page.getByRole('dialog', { name: 'Add 3 creators?' }).getByRole('button', { name: 'Add' }).click();
    await page.getByText('2 creators added').first().waitFor();
    await page.getByText(/NOBODY: The code NOBODY belongs to another member/).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Copy rejected').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^NOBODY\tThe code NOBODY belongs/);
  },
);

test.skipIf(!hasBrowser)(
  'lets the reader pick the creator of an ambiguous entry, before approving it',
  async () => {
    const owner = await asRole(service(), 'owner');
    for (const name of ['Same Name', 'same name'])
      await owner('POST', '/members?group=crew', { id: `twin-${name[0]}`, name, status: 'Pending' });
    const page = await open('support', '/p/aurora/creators?group=crew');
    await button(page, 'Edit many…').click();
    const dialog = page.getByRole('dialog', { name: 'Edit many creators' });
    await dialog.getByLabel('Codes, IDs, or names').fill('SAME NAME');
    await dialog.getByText('No creators found · 1 ambiguous').waitFor();
    expect(await dialog.getByRole('button', { name: /^(Add|Remove|Set tier for) \d/ }).count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Approve 0' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Creator for SAME NAME').selectOption({ value: 'crew/twin-s' });
    await dialog.getByRole('button', { name: 'Approve 1' }).click();
    await page
      .getByRole('dialog', { name: 'Approve 1 creator?' })
      .getByRole('button', { name: 'Approve' })
      .click();
    await page.getByText('1 creator approved').waitFor();
    const { body } = await owner('GET', '/members/twin-S?group=crew');
    expect(body.status).toBe('Pending');
  },
);

test.skipIf(!hasBrowser)('lists codes with their creators, and explains the inactive ones', async () => {
  const page = await open('viewer', '/p/aurora/creators?group=main');
  await page.getByRole('tab', { name: 'Codes' }).click();
  await page.getByRole('row', { name: /^ALICE Alice all groups Active/ }).waitFor();
  await page.getByLabel('Status').selectOption('no');
  await page.getByRole('row', { name: /^PENDING acc_pending all groups Creator is pending/ }).waitFor();
  await page.getByRole('row', { name: /^OLD Alice all groups Code not approved/ }).waitFor();
  await page.getByRole('row', { name: /^ALICE/ }).waitFor({ state: 'detached' });
  await page.getByLabel('Code', { exact: true }).fill('pen');
  await page.getByRole('row', { name: /^OLD/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Open PENDING in Aurora Creators' }).click();
  await drawer(page).getByRole('heading', { name: 'acc_pending' }).waitFor();
  await page.reload();
  await drawer(page).getByRole('heading', { name: 'acc_pending' }).waitFor();
});

test.skipIf(!hasBrowser)('explains a rejected code, check by check', async () => {
  const page = await open('viewer', '/p/aurora/creators?group=main');
  await button(page, 'Check code').click();
  const panel = page.getByRole('dialog', { name: 'Check code' });
  await panel.getByLabel('Code').fill('PENDING');
  await panel.getByRole('button', { name: 'Check' }).click();
  await panel.getByText('PENDING is rejected in Aurora Creators').waitFor();
  await expect
    .poll(() => panel.getByText('acc_pending is Pending. Approve the creator').count())
    .toBeGreaterThan(0);
  await page.goto(`${service().url}/p/aurora/creators?group=main&check=alice`);
  await panel.getByText('alice credits Alice in Aurora Creators').waitFor();
  await panel.getByLabel('Group').selectOption('moba'); // now checked in this group
  await panel.getByText(/^alice .* in (?!Aurora Creators)/).waitFor();
});

test.skipIf(!hasBrowser)(
  'lets a creator claim a managed member with an auth code from the screen',
  async () => {
    const generated = await service().call('POST', '/v1/manage/members?groupId=crew', {
      key: keys().backend,
      json: { playerId: 'claim-p1' },
    });
    const owner = await asRole(service(), 'owner');
    const { body } = await owner('POST', '/members?group=crew', { id: 'claimer', name: 'Claimer' });
    const page = await open('support', `/p/aurora/creators?group=crew&open=crew/${body.memberId}`);
    await drawer(page).getByRole('button', { name: 'Issue auth code' }).click();
    await drawer(page).getByText('Shown only once').waitFor();
    const authCode = (await drawer(page).textContent())?.match(/[2-9A-Z]{4}-[2-9A-Z]{4}/)?.[0] ?? '';
    const linked = await service().call('POST', '/v1/manage/members/link?groupId=crew', {
      key: keys().backend,
      form: { playerId: 'claim-p1', authCode },
    });
    expect(linked.status, linked.text).toBe(200);
    await page.reload();
    await drawer(page)
      .getByRole('region', { name: 'Merged from' })
      .getByRole('cell', { name: 'claim-p1' })
      .waitFor();
    await drawer(page).getByText(generated.body.code, { exact: true }).waitFor();
    expect(await drawer(page).textContent()).not.toContain(authCode);
  },
);

// This test comes last, because from here on ALICE credits another creator.
test.skipIf(!hasBrowser)('saves a line that takes over a code only if that is allowed', async () => {
  const page = await open('manager', '/p/aurora/creators/import?group=main');
  await page.getByLabel('Table').fill('id,name,codes\ntaker,Taker,ALICE\nplain,Plain,PLAIN-1');
  await button(page, 'Check').click();
  await page.getByText('1 to add, 0 to change, 0 unchanged, 0 rejected').waitFor();
  await page.getByRole('row', { name: /Taker/ }).getByText('Takes over a code', { exact: true }).waitFor();
  await page.getByText('purchases with it would credit this creator instead of Alice').waitFor();
  await button(page, 'Import 1 line').waitFor();
  await page.getByRole('checkbox', { name: /Also import the 1 line that takes over a code/ }).check();
  await button(page, 'Import 2 lines').click();
  await page.getByRole('row', { name: /Taker/ }).getByText('Took over a code').waitFor();
  await page.getByText('1 line took over a code from another creator.').waitFor();
  const { body } = await (await asRole(service(), 'viewer'))('GET', '/codes/ALICE/check?group=main');
  expect(body.credited.memberId).toBe('taker');
});

test.skipIf(!hasBrowser)(
  'lists each creator with the largest balance, and the others beside it',
  async () => {
    await service().provision(
      `{ publisher: { id: aurora }, groups: [ { id: rich, name: Rich, revShare: 10, members: [
      { id: rich-1, name: Rich One, codes: [ { code: RICH-1, group: rich } ] }, { id: rich-2, name: Rich Two } ] } ] }`,
    );
    for (const [currency, subtotal] of [
      ['USD', 123_456],
      ['JPY', 9_000],
      ['EUR', 98_765],
      ['KWD', 1_000],
    ] as const) {
      const { status } = await service().call('POST', '/v1/attributions/transactions?groupId=rich', {
        key: keys().backend,
        json: purchase({ code: 'RICH-1', currency, subtotal, memberSharePercent: 100 }),
      });
      expect(status).toBe(200);
    }
    await settleAll(db());
    const page = await open('viewer', '/p/aurora/creators?group=rich');
    const one = page.getByRole('row', { name: /Rich One/ });
    await one.getByText('1,234.56 USD').waitFor();
    await one.getByText('+3 currencies').waitFor();
    expect(await one.getByTitle('987.65 EUR, 9,000 JPY, 1.000 KWD').count()).toBe(1);
    const headers = page.getByRole('columnheader');
    await headers.filter({ hasText: 'Balance' }).waitFor();
    expect(
      await page
        .getByRole('row', { name: /Rich Two/ })
        .getByText(/[A-Z]{3}$/)
        .count(),
    ).toBe(0);
    const balance = headers.filter({ hasText: 'Balance' });
    await balance.getByRole('button').press('Enter');
    await page.getByRole('menuitemradio', { name: 'Newest first' }).waitFor();
    await expectAccessible(page, 'orders of the list');
    await page.getByRole('menuitemradio', { name: 'Highest balance in EUR' }).click();
    await page.waitForURL(/balanceIn=EUR/);
    expect(await balance.getAttribute('aria-sort')).toBe('descending');
    await one.getByText('987.65 EUR', { exact: true }).waitFor();
    const names = page.getByRole('row').filter({ hasText: 'Rich' });
    await expect.poll(() => names.first().textContent()).toContain('Rich One');
    await headers.filter({ hasText: 'Joined' }).getByRole('button').click();
    await page.waitForURL((url) => !url.search.includes('balanceIn'));
    expect(await balance.getAttribute('aria-sort')).toBe(null);
    await expect.poll(() => names.first().textContent()).toContain('Rich Two');
    await page.setViewportSize({ width: 360, height: 740 });
    await one.getByText('1,234.56 USD').waitFor();
    expect(await headers.allInnerTexts()).toEqual(['Creator', 'Balance', '']);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole('tab', { name: 'Pending (0)' }).click();
    await page.getByText('No pending creators').waitFor();
  },
);
