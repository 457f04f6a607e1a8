import { describe, expect, test } from 'vitest';
import { expectAccessible, hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';

const portal = await usePortalPages();
const { makeGroup, nextMail, openDashboard, owner, visit } = portal;

const drawerOf = (memberId: string) => `/p/aurora/creators?group=invites&open=invites/${memberId}`;

describe.skipIf(!hasBrowser)('staff', () => {
  test('invite a creator to the portal, see that they came, and disconnect them', async () => {
    await makeGroup('invites');
    const staff = await owner();
    const page = await openDashboard(staff, drawerOf('acc_invites_A'));
    const part = page.getByRole('region', { name: 'Portal' });
    await part.getByText('The creator can’t see their earnings in the portal yet.').waitFor();
    await part.getByRole('button', { name: 'Invite to portal…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite A to the portal' });
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText('Enter an email address').waitFor();
    await dialog.getByLabel('Creator’s email address').pressSequentially('kira@example.com');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Invited kira@example.com to see the earnings of A').waitFor();
    await part.getByText('invited kira@example.com').waitFor();
    const { link } = await nextMail();

    const phone = await visit(link.pathname.replace('/creators', '') + link.hash);
    await phone.getByRole('button', { name: 'Accept invitation' }).click();
    await phone.getByRole('heading', { name: 'Your earnings' }).waitFor();
    await page.reload();
    await part.getByText('Connected by invitation since').waitFor();
    expect(await part.getByRole('button', { name: /^Invite/ }).count()).toBe(0);
    await part.getByRole('button', { name: 'Disconnect…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
    await part.getByText('The creator can’t see their earnings in the portal yet.').waitFor();
    const { body } = await staff.ask('GET', '/members/acc_invites_A/portal');
    expect(body).toEqual({ isOn: true, connected: null, invitation: null });
  });

  test('withdraw an invitation, whose link then stops working', async () => {
    await makeGroup('withdrawn');
    const staff = await owner();
    await staff.ask('POST', '/members/acc_withdrawn_A/portal-invitations', { email: 'wrong@example.com' });
    const { link } = await nextMail();
    const page = await openDashboard(
      staff,
      '/p/aurora/creators?group=withdrawn&open=withdrawn/acc_withdrawn_A',
    );
    const part = page.getByRole('region', { name: 'Portal' });
    await part.getByRole('button', { name: 'Withdraw invitation…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation', exact: true }).click();
    await part.getByRole('button', { name: 'Invite to portal…' }).waitFor();
    const phone = await visit(link.pathname.replace('/creators', '') + link.hash);
    await phone.getByRole('heading', { name: 'This invitation can’t be used' }).waitFor();
  });
});
