import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { provisionFixtures } from '../../../test/fixtures.ts';
import { startOidcProvider } from '../../../test/oidc-provider.ts';
import { type SmtpSink, startSmtpSink } from '../../../test/smtp-sink.ts';
import { signIn } from '../../../test/staff.ts';
import { startService, type TestService } from '../../../test/test-service.ts';

let sink: SmtpSink;
let service: TestService;

beforeAll(async () => {
  sink = await startSmtpSink();
  service = await startService({
    environment: { SMTP_URL: sink.url, MAIL_FROM: 'Aurora <no-reply@aurora.example>' },
  });
  await provisionFixtures(service);
});
afterAll(async () => {
  await service.close();
  await sink.close();
});

/**
 * Returns whether the account's address is verified. The first person to verify an address takes over the
 * account with that address.
 */
const isVerified = async ({ testDatabase }: TestService, email: string): Promise<boolean> =>
  (
    await testDatabase.database.db
      .selectFrom('staff_user')
      .select('email_verified')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).email_verified;

/** Returns the link in a message, decoded from quoted-printable. */
const linkIn = (mail: string): URL =>
  new URL(/http:\S+#\w+/.exec(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0] ?? '');

/** Returns the decoded parts of a message, which are quoted-printable. */
function partsOf(mail: string): { text: string; html: string } {
  const [text = '', html = ''] = ['plain', 'html'].map((kind) => {
    const [, part = ''] = mail.split(`Content-Type: text/${kind}; charset=utf-8\r\n`);
    const body = part.slice(part.indexOf('\r\n\r\n') + 4).split(/\r\n--+_NmP/)[0] ?? '';
    const bytes = body
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString();
  });
  return { text, html };
}

test('mails invitations, and links that reset a forgotten password once', async () => {
  const owner = await signIn(service, 'owner', { name: 'Ines\r\nBcc: all@example.com' });
  const { version } = (await owner.ask('GET', '/settings')).body;
  const name = 'Aurora <img src=x onerror=alert(1)> & "Sons"';
  expect(await owner.ask('PUT', '/settings', { version, name })).toMatchObject({ status: 200 });
  const email = 'mia@example.com';
  expect(await owner.ask('POST', '/invitations', { email, role: 'viewer' })).toMatchObject({
    status: 200,
    body: { email, url: null },
  });
  const invitation = await sink.next();
  expect(invitation).toMatch(/^To: mia@example\.com\r$/m);
  expect(invitation).toMatch(/^From: Aurora <no-reply@aurora\.example>\r$/m);
  expect(invitation).not.toMatch(/^Bcc/im);
  expect(invitation).toMatch(/^Content-Type: multipart\/alternative;/m);
  const { text, html } = partsOf(invitation);
  expect(text).toContain(`Ines Bcc: all@example.com has invited you to the creator program of ${name}.`);
  expect(html).toContain(
    '>You’re invited to join Aurora &lt;img src=x onerror=alert(1)&gt; &amp; &quot;Sons&quot;</h1>',
  );
  expect(html).not.toContain('<img src=x');
  expect(html).toContain(`href="${linkIn(invitation)}"`);
  const browser = new Browser(service);
  const token = linkIn(invitation).hash.slice(1);
  const oldPassword = 'the first of many words';
  await browser.post('/auth/invitation/accept-as-new', { token, name: 'Mia', password: oldPassword });
  expect(await browser.get('/me')).toMatchObject({ status: 200 });
  expect(await isVerified(service, email)).toBe(true);

  const otherBrowser = new Browser(service);
  expect(await otherBrowser.post('/auth/password/forgot', { email: 'unknown@example.com' })).toMatchObject({
    status: 200,
  });
  expect(await otherBrowser.post('/auth/password/forgot', { email: ' MIA@example.com' })).toMatchObject({
    status: 200,
  });
  const mail = await sink.next();
  expect(mail).toMatch(/^To: mia@example\.com\r$/m);
  expect(partsOf(mail).html).toContain('>Creator attribution</div>'); // a password belongs to no publisher
  const link = linkIn(mail);
  expect(link.pathname).toBe('/reset-password');
  const reset = (password: string) =>
    otherBrowser.post('/auth/password/reset', { token: link.hash.slice(1), password });
  expect(await reset('too short')).toMatchObject({ status: 400 });
  const password = 'other words than before';
  expect(await reset(password)).toMatchObject({ status: 200, body: { email } });
  expect(await reset(password)).toMatchObject({ status: 404 });
  // Sessions started with the old password have ended, and the old password no longer works.
  expect(await browser.get('/me')).toMatchObject({ status: 401 });
  expect(await browser.post('/auth/sign-in/password', { email, password: oldPassword })).toMatchObject({
    status: 401,
  });
  expect(await browser.post('/auth/sign-in/password', { email, password })).toMatchObject({ status: 200 });
  expect(sink.mails).toHaveLength(2);

  const statuses: number[] = [];
  for (let each = 0; each < 4; each += 1)
    statuses.push((await otherBrowser.post('/auth/password/forgot', { email: 'flood@example.com' })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('shows the link when the mail server is down; accepting it does not verify the address', async () => {
  const withoutMail = await startService({ environment: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  try {
    await provisionFixtures(withoutMail);
    const owner = await signIn(withoutMail, 'owner');
    const email = 'x@example.com';
    const invited = await owner.ask('POST', '/invitations', { email, role: 'viewer' });
    expect(invited).toMatchObject({ status: 200, body: { url: expect.stringContaining('/invitation#') } });
    expect((await owner.ask('GET', '/invitations')).body.rows).toHaveLength(1);
    const token = new URL(invited.body.url).hash.slice(1);
    const accepted = await new Browser(withoutMail).post('/auth/invitation/accept-as-new', {
      token,
      name: 'Xenia',
      password: 'the first of many words',
    });
    expect(accepted).toMatchObject({ status: 200 });
    expect(await isVerified(withoutMail, email)).toBe(false);
  } finally {
    await withoutMail.close();
  }
});

test('sends a notification when a provider first signs in to an account', async () => {
  const provider = await startOidcProvider();
  const mails = await startSmtpSink();
  const linking = await startService({
    environment: {
      SMTP_URL: mails.url,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_NAME: 'Aurora accounts',
    },
  });
  try {
    await provisionFixtures(linking);
    const owner = await signIn(linking, 'owner', { email: 'linked@example.com' });
    provider.person = { sub: 'linked-1', email: owner.email, email_verified: true };
    for (let each = 0; each < 2; each += 1) {
      const browser = new Browser(linking);
      const begun = await browser.post('/auth/sign-in/provider', { provider: 'oidc', next: '/' });
      const redirect = await fetch(begun.body.url, { redirect: 'manual' });
      const back = new URL(redirect.headers.get('location') ?? '');
      expect(await browser.go(back.pathname + back.search)).toBe(`${linking.url}/`);
    }
    const mail = await mails.next();
    expect(mail).toMatch(/^To: linked@example\.com\r$/m);
    expect(mail).toMatch(/^Subject: You can now sign in with Aurora accounts\r$/m);
    expect(mails.mails).toHaveLength(1);
  } finally {
    await linking.close();
    await mails.close();
    await provider.close();
  }
});
