import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open, service, keys } = useDashboard();

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

test.skipIf(!hasBrowser)(
  'of 51 applicants 50 are approved in four clicks on the list, and the one who clashes is said',
  async () => {
    const page = await open('support', '/p/aurora/creators?group=crew&limit=100');
    await page.getByText('No creator yet').waitFor();
    await page.getByRole('tab', { name: 'Pending (51)' }).click();
    await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).click();
    await page.getByText('51 creators chosen').waitFor();
    // Meanwhile a colleague takes one of them out, and gives the player id to somebody else.
    const owner = await asRole(service(), 'owner');
    await owner('POST', '/members/crew-7/remove?group=crew', { reason: 'Withdrew' });
    await owner('POST', '/members?group=crew', { name: 'Newcomer', playerId: 'crew-p7' });
    await button(page, 'Approve').click();
    const question = page.getByRole('dialog', { name: 'Approve 51 creators?' });
    await question.waitFor();
    await question.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('50 creators approved').waitFor();
    await page
      .getByText('Crew 7: Another member of the group crew has the playerId of crew-7 by now.')
      .waitFor();
    await page.getByRole('tab', { name: 'Approved (51)' }).waitFor();
    await page.getByText('Nobody waits for approval').waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'a table with bad lines is tried, applied but for these, and says which',
  async () => {
    const page = await open('manager', '/p/aurora/creators?group=crew');
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
    await page.getByLabel('Codes are good in').selectOption('global');
    await button(page, 'Try it').click();
    await page.getByText('2 would be added, 0 changed, 0 stay as they are, 2 are refused').waitFor();
    await page.getByText('crew has no tier “Bronze”; use one of Silver.').waitFor();
    const dry = await (await asRole(service(), 'viewer'))('GET', '/members?group=crew&q=imp-');
    expect(dry.body.rows).toEqual([]);
    await button(page, 'Apply 2 lines').click();
    await page.getByText('2 added, 0 changed, 0 as before, 2 refused').waitFor();
    await page.getByRole('checkbox', { name: 'Refused lines only' }).check();
    await page.getByText('The code CREW-3 belongs to another member; choose another one.').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByLabel('Name, code or id').fill('IMP-1');
    await page.getByRole('cell', { name: 'First', exact: true }).waitFor();
  },
);

test.skipIf(!hasBrowser)('a creator is added, changed, given a code, and removed with a reason', async () => {
  const page = await open('manager', '/p/aurora/creators?group=crew');
  await page.getByRole('tab', { name: /Approved/ }).waitFor();
  await page.keyboard.press('c');
  const form = page.getByRole('dialog', { name: 'Add a creator' });
  await form.getByLabel('Name').fill('Kira');
  await form.getByLabel('Code', { exact: true }).fill('alice');
  // In this group alone it would go before Alice's, who is told of nowhere else.
  await form.getByText('ALICE is a global code of Alice').waitFor();
  await form.getByLabel('Where the code is good').getByText('All groups of the creator').click();
  await form.getByText('ALICE is a global code of Alice').waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText('the code alice belongs to another member').waitFor();
  await form.getByLabel('Code', { exact: true }).fill('KIRA');
  await form.getByRole('button', { name: 'Add' }).click();
  await drawer(page).getByRole('heading', { name: 'Kira' }).waitFor();
  expect(new URL(page.url()).searchParams.get('open')).toMatch(/^crew\/acc_/);

  await drawer(page).getByRole('button', { name: 'Change', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Change Kira' });
  await edit.getByLabel('Name').fill('Kira of the crew');
  const memberId = new URL(page.url()).searchParams.get('open')?.split('/')[1] ?? '';
  const owner = await asRole(service(), 'owner');
  const { version } = (await owner('GET', `/members/${memberId}?group=crew`)).body;
  await owner('PATCH', `/members/${memberId}?group=crew`, { version, tier: 'Silver' });
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('Somebody else changed this creator meanwhile').waitFor();
  await edit.getByRole('button', { name: 'Save mine over it' }).click();
  await drawer(page).getByRole('heading', { name: 'Kira of the crew' }).waitFor();

  await drawer(page).getByRole('button', { name: 'Add a code' }).click();
  await drawer(page).getByLabel('New code').fill('KIRA-2');
  await drawer(page).getByRole('button', { name: 'Add', exact: true }).click();
  await drawer(page).getByText('KIRA-2', { exact: true }).waitFor();

  await drawer(page).getByRole('button', { name: 'Remove …' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove 1 creator?' });
  await removal.getByLabel('Why').fill('Left for another game');
  await removal.getByRole('button', { name: 'Remove' }).click();
  await drawer(page).getByText('Left for another game').waitFor();
  const { body } = await owner('GET', `/members/${memberId}?group=crew`);
  expect(body).toMatchObject({ name: 'Kira of the crew', tier: null, status: 'Removed' });
});

test.skipIf(!hasBrowser)('pasted codes get a tier, and what is refused says why', async () => {
  const page = await open('owner', '/p/aurora/creators?group=crew');
  await button(page, 'Paste codes').click();
  const dialog = page.getByRole('dialog', { name: 'Creators by their codes' });
  await dialog.getByLabel('Codes', { exact: true }).fill('CREW-1, crew-2\nNOBODY');
  await dialog.getByRole('button', { name: 'Set tier' }).click();
  const question = page.getByRole('dialog', { name: 'Set the tier of 3 creators?' });
  await question.getByLabel('Tier').selectOption('Silver');
  await question.getByRole('button', { name: 'Set tier' }).click();
  await page.getByText('2 creators have another tier').waitFor();
  await page.getByText(/NOBODY: None of your creators has the code NOBODY/).waitFor();
});

test.skipIf(!hasBrowser)(
  'codes are listed with who has them, and those that credit nobody say why, down to the creator',
  async () => {
    const page = await open('viewer', '/p/aurora/creators?group=main');
    await page.getByRole('tab', { name: 'Codes' }).click();
    await page.getByRole('row', { name: /^ALICE Alice all groups Credits/ }).waitFor();
    await page.getByLabel('Now').selectOption('no');
    await page.getByRole('row', { name: /^PENDING acc_pending all groups Creator is pending/ }).waitFor();
    await page.getByRole('row', { name: /^OLD Alice all groups Code not approved/ }).waitFor();
    await page.getByRole('row', { name: /^ALICE/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Code', { exact: true }).fill('pen');
    await page.getByRole('row', { name: /^OLD/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open PENDING in Aurora Creators' }).click();
    await drawer(page).getByRole('heading', { name: 'acc_pending' }).waitFor();
    await page.reload();
    await drawer(page).getByRole('heading', { name: 'acc_pending' }).waitFor();
  },
);

test.skipIf(!hasBrowser)('a code that is refused is explained, check by check', async () => {
  const page = await open('viewer', '/p/aurora/creators?group=main');
  await button(page, 'Why is a code refused?').click();
  const panel = page.getByRole('dialog', { name: 'Why is a code refused?' });
  await panel.getByLabel('Code').fill('PENDING');
  await panel.getByRole('button', { name: 'Check' }).click();
  await panel.getByText('PENDING is refused in Aurora Creators').waitFor();
  await expect
    .poll(() => panel.getByText('acc_pending is Pending: approve the creator').count())
    .toBeGreaterThan(0);
  await page.goto(`${service().url}/p/aurora/creators?group=main&check=alice`);
  await panel.getByText('alice credits Alice in Aurora Creators').waitFor();
  await panel.getByLabel('In the group').selectOption('moba'); // it is asked there, and nowhere else
  await panel.getByText(/^alice .* in (?!Aurora Creators)/).waitFor();
});

test.skipIf(!hasBrowser)(
  'a generated member is claimed by an auth code from the screen, and its whole is with the creator',
  async () => {
    const generated = await service().call('POST', '/v1/manage/members?groupId=crew', {
      key: keys().backend,
      json: { playerId: 'claim-p1' },
    });
    const owner = await asRole(service(), 'owner');
    const { body } = await owner('POST', '/members?group=crew', { id: 'claimer', name: 'Claimer' });
    const page = await open('support', `/p/aurora/creators?group=crew&open=crew/${body.memberId}`);
    await drawer(page).getByRole('button', { name: 'Issue an auth code' }).click();
    await drawer(page).getByText('Shown this once').waitFor();
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

// The last: ALICE credits another creator from here on.
test.skipIf(!hasBrowser)('a line that takes a code over is saved only when that is chosen', async () => {
  const page = await open('manager', '/p/aurora/creators/import?group=main');
  await page.getByLabel('Table').fill('id,name,codes\ntaker,Taker,ALICE\nplain,Plain,PLAIN-1');
  await button(page, 'Try it').click();
  await page.getByText('1 would be added, 0 changed, 0 stay as they are, 0 are refused').waitFor();
  await page.getByRole('row', { name: /Taker/ }).getByText('Takes over', { exact: true }).waitFor();
  await page.getByText('here purchases with it would credit this creator, and Alice no longer').waitFor();
  await button(page, 'Apply 1 line').waitFor();
  await page.getByRole('checkbox', { name: /Also save the 1 line that takes? a code over/ }).check();
  await button(page, 'Apply 2 lines').click();
  await page.getByRole('row', { name: /Taker/ }).getByText('Took over').waitFor();
  await page.getByText('1 line took a code over from another creator.').waitFor();
  const { body } = await (await asRole(service(), 'viewer'))('GET', '/codes/ALICE/check?group=main');
  expect(body.credited.memberId).toBe('taker');
});
