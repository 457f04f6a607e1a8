import type { Page } from 'playwright-core';
import { serviceSecret } from '../../../server/src/platform/secrets/service-secret.ts';
import { takeBackToken } from '../../../server/src/portal/methods/take-back-links.ts';
import { withApplications } from '../../../server/test/applications.ts';
import type { Browser } from '../../../server/test/browser.ts';
import { endSandbox, monthsOf } from '../../../server/test/months.ts';
import { testSealer } from '../../../server/test/sealer.ts';
import type { PortalPages } from '../portal.ts';
import { isSettled } from '../screens.ts';

/** People who look at the portal's pages. */
export interface Furnished {
  /** Creator with earnings at two publishers, in several groups and currencies. */
  nova: Browser;
  /** Person without a creator account. */
  newcomer: Browser;
  /** Person whose application to one group is open, and to another was refused. */
  applicant: Browser;
  /** Token of an invitation for another account. */
  invitation: string;
  /** Payout method of the first creator. */
  methodId: string;
  /** Token of the link that takes a change of a payout method back, and of one that was used. */
  noticeToken: string;
  usedNoticeToken: string;
  /** Creates an auth code for an account that no one has connected. */
  authCode(): Promise<string>;
}

/** State of a page of the portal. */
export interface PortalState {
  /** Name, which is also the screenshot's. */
  name: string;
  /** Path in the portal. */
  path: string | ((furnished: Furnished) => string);
  as: 'nova' | 'newcomer' | 'applicant' | null;
  /** Steps from the page to the state. */
  open?(page: Page, furnished: Furnished): Promise<unknown>;
  /** Behavior of the service: either its data requests fail, or they never end. If absent, it behaves normally. */
  answers?: 'failing' | 'never' | 'limited';
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Creates publishers, creators and earnings that fill the pages. */
export async function furnish(portal: PortalPages): Promise<Furnished> {
  const { service, provisionGroup, record, settle, creator, signedIn } = portal;
  await provisionGroup(
    'stars',
    `name: Aurora Stars, revShare: 10, payoutCalendar: { dayOfMonth: 15, withinDays: 2 }, payoutMinimums: { USD: 2500, EUR: 5000 },
     members: [ { id: acc_nova, name: Nova, codes: [ { code: NOVA, primary: true }, { code: NOVA-LIVE, group: stars }, { code: NOVA-OLD, approved: false } ] },
                { id: acc_free, name: Free } ]`,
  );
  await provisionGroup(
    'guild',
    `name: Guild, revShare: 10, members: [ { id: acc_nova, status: Pending, codes: [ { code: GUILD-NOVA, group: guild } ] } ]`,
  );
  await service().provision(
    `{ publisher: { id: rival, name: Borealis Interactive }, groups: [ { id: main, revShare: 10, members: [ { id: acc_nova2, name: Nova, codes: [ { code: NOVA-B, primary: true } ] } ] } ] }`,
  );
  let count = 0;
  const earn = async (subtotal: number, days: number, currency = 'USD'): Promise<void> => {
    count += 1;
    const purchase = {
      transactionId: `nova-${count}`,
      code: 'NOVA',
      description: 'Battle pass',
      subtotal,
      currency,
      memberSharePercent: 100,
      transactionDate: daysAgo(days),
    };
    const { status } = await record(purchase, { query: '?groupId=stars' });
    if (status !== 200) throw new Error(`the purchase was rejected with ${status}`);
  };
  const months = monthsOf(portal.db);
  await earn(8_420, 200);
  await earn(4_500, 90, 'EUR');
  await settle();
  await months.close();
  await earn(3_100, 12);
  await settle();
  await months.close();
  await endSandbox(service().testDatabase.adminConnection);
  await earn(1_240, 0);
  await settle();
  const nova = await creator('nova@example.com', 'acc_nova');
  await nova.post('/claims', { authCode: await portal.authCode('acc_nova2') });
  await brand(portal);
  const newcomer = await signedIn('newcomer@example.com');
  const owner = await portal.owner();
  await owner.ask('POST', '/admin/v1/publishers/aurora/members/acc_free/portal-invitations', {
    email: 'free@example.com',
  });
  const { token } = await portal.nextMail();
  const methods = await enterMethods(portal, nova);
  const applicant = await makeApplicant(portal);
  return { nova, newcomer, applicant, invitation: token, ...methods, authCode: () => portal.authCode('acc_free') };
}

/** Opens groups for applications, and applies to two of them. */
async function makeApplicant(portal: PortalPages): Promise<Browser> {
  const { openGroup, applicant, applyTo, accountOf } = withApplications(portal);
  const terms = Array.from(
    { length: 12 },
    (_, at) => `${at + 1}. Say that you are paid for purchases with your code. You are 13 or older.`,
  ).join('\n\n');
  await openGroup('open', { terms });
  await openGroup('full', { mostPending: 1 });
  await openGroup('club');
  const person = await applicant('applicant@example.com', 'club', 'CLUB-MILO', 'Milo');
  const staff = await portal.owner();
  const reason = 'We are looking for creators with at least 1,000 followers.';
  await staff.ask('POST', `/members/${await accountOf(person)}/remove?group=club`, { reason });
  const { status } = await applyTo(person, 'full', { code: 'FULL-MILO' });
  if (status !== 200) throw new Error(`the application was rejected with ${status}`);
  return person;
}

/** Enters payout methods of the creator, and takes a change back at the second publisher, with its own creator. */
async function enterMethods(
  portal: PortalPages,
  nova: Browser,
): Promise<Pick<Furnished, 'methodId' | 'noticeToken' | 'usedNoticeToken'>> {
  const enter = async (person: Browser, publisher: string, method: object): Promise<string> => {
    const at = `?publisher=${publisher}`;
    await person.post(`/payout-methods/codes${at}`, method);
    const { code } = await portal.nextMail();
    const { status } = await person.post(`/payout-methods${at}`, { ...method, code });
    if (status !== 200) throw new Error(`the payout method was rejected with ${status}`);
    const notice = await portal
      .db()
      .selectFrom('payee_notice')
      .select('notice_id')
      .where('publisher_id', '=', publisher)
      .orderBy('changed_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return takeBackToken(await secretOf(portal), { publisherId: publisher, noticeId: notice.notice_id });
  };
  const holder = { holderName: 'Nova Muster', holderType: 'individual', country: 'DE' };
  await enter(nova, 'aurora', { ...holder, kind: 'sepa', iban: 'DE89 3704 0044 0532 0130 00' });
  const noticeToken = await enter(nova, 'aurora', { ...holder, kind: 'paypal', email: 'nova@example.com' });
  await portal
    .service()
    .provision(
      '{ publisher: { id: rival }, groups: [ { id: main, members: [ { id: acc_other, name: Other, codes: [ { code: OTHER, primary: true } ] } ] } ] }',
    );
  const other = await portal.creator('other@example.com', 'acc_other');
  const used = await enter(other, 'rival', { ...holder, kind: 'paypal', email: 'other@example.com' });
  await portal.browser().post('/auth/payout-method-change/take-back', { token: used });
  const { methods } = (await nova.get('/payout-methods?publisher=aurora')).body;
  return { methodId: methods[0].methodId, noticeToken, usedNoticeToken: used };
}

const secretOf = ({ db }: PortalPages): Promise<Buffer> => serviceSecret(db(), 'creator sign-in', testSealer);

/** Gives the second publisher a color of its own. */
async function brand({ owner }: PortalPages): Promise<void> {
  const path = '/admin/v1/publishers/rival/branding';
  const staff = await owner('rival');
  const { version } = (await staff.ask('GET', path)).body;
  const { status } = await staff.ask('PUT', path, { version, accent: '#7a1fa2' });
  if (status !== 200) throw new Error(`the accent was rejected with ${status}`);
}

const fill = (page: Page, label: string, text: string): Promise<void> =>
  page.getByLabel(label, { exact: true }).fill(text);
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

const typeAuthCode = async (page: Page, code: string): Promise<void> => {
  await fill(page, 'Auth code', code);
  await press(page, 'Continue');
};

export const portalStates: readonly PortalState[] = [
  { name: 'enter', path: '/enter', as: null },
  { name: 'enter-ended', path: '/enter?ended=yes&next=%2Fcodes', as: null },
  { name: 'enter-invalid', path: '/enter', as: null, open: (page) => press(page, 'Send code') },
  {
    name: 'enter-code',
    path: '/enter',
    as: null,
    open: async (page) => {
      await fill(page, 'Email address', 'anyone@example.com');
      await press(page, 'Send code');
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    },
  },
  {
    name: 'enter-code-wrong',
    path: '/enter',
    as: null,
    open: async (page) => {
      await fill(page, 'Email address', 'anyone@example.com');
      await press(page, 'Send code');
      await fill(page, 'Code', 'AAAA-AAAA');
      await press(page, 'Sign in');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'enter-link', path: '/enter#some-token', as: null },
  {
    name: 'enter-link-used',
    path: '/enter#some-token',
    as: null,
    open: async (page) => {
      await press(page, 'Sign in');
      await page.getByRole('heading', { name: 'This link can’t be used' }).waitFor();
    },
  },
  { name: 'invitation', path: ({ invitation }) => `/invitation#${invitation}`, as: null },
  { name: 'invitation-signed-in', path: ({ invitation }) => `/invitation#${invitation}`, as: 'newcomer' },
  { name: 'invitation-refused', path: '/invitation#some-token', as: null },
  { name: 'apply', path: '/apply/aurora/open', as: null },
  { name: 'apply-form', path: '/apply/aurora/open', as: 'newcomer' },
  {
    name: 'apply-invalid',
    path: '/apply/aurora/open',
    as: 'newcomer',
    open: async (page) => {
      await fill(page, 'Your code', 'NOVA');
      await press(page, 'Apply');
      await page.getByText('NOVA isn’t available').waitFor();
    },
  },
  {
    name: 'apply-available',
    path: '/apply/aurora/open',
    as: 'nova',
    open: async (page) => {
      await fill(page, 'Your code', 'STARLIGHT');
      await page.getByText('STARLIGHT is available').waitFor();
    },
  },
  { name: 'apply-sent', path: '/apply/aurora/full', as: 'applicant' },
  { name: 'apply-refused', path: '/apply/aurora/club', as: 'applicant' },
  { name: 'apply-full', path: '/apply/aurora/full', as: null },
  { name: 'apply-closed', path: '/apply/aurora/main', as: null },
  { name: 'apply-failing', path: '/apply/aurora/open', as: 'nova', answers: 'failing' },
  { name: 'apply-loading', path: '/apply/aurora/open', as: 'nova', answers: 'never' },
  { name: 'home-applied', path: '', as: 'applicant' },
  { name: 'home', path: '', as: 'nova' },
  {
    name: 'home-empty',
    path: '',
    as: 'nova',
    open: (page) => page.getByLabel('Publisher').selectOption('Borealis Interactive'),
  },
  { name: 'home-no-account', path: '', as: 'newcomer' },
  { name: 'home-failing', path: '', as: 'nova', answers: 'failing' },
  { name: 'home-limited', path: '', as: 'nova', answers: 'limited' },
  { name: 'home-loading', path: '', as: 'nova', answers: 'never' },
  {
    name: 'home-offline',
    path: '',
    as: 'nova',
    open: (page) => page.context().setOffline(true),
  },
  { name: 'codes', path: '/codes', as: 'nova' },
  { name: 'codes-qr', path: '/codes', as: 'nova', open: (page) => press(page, 'Show QR code of NOVA-LIVE') },
  { name: 'link', path: '/link', as: 'newcomer' },
  {
    name: 'link-confirm',
    path: '/link',
    as: 'newcomer',
    open: async (page, { authCode }) => {
      await typeAuthCode(page, await authCode());
      await page.getByRole('heading', { name: 'Connect Free?' }).waitFor();
    },
  },
  {
    name: 'link-wrong',
    path: '/link',
    as: 'newcomer',
    open: async (page) => {
      await typeAuthCode(page, 'AAAA-AAAA');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'auth-code', path: '/auth-code', as: 'nova' },
  {
    name: 'auth-code-created',
    path: '/auth-code',
    as: 'nova',
    open: async (page) => {
      await press(page, 'Create auth code');
      await page.getByText('Works once').waitFor();
    },
  },
  { name: 'statements', path: '/statements', as: 'nova' },
  {
    name: 'statements-empty',
    path: '/statements',
    as: 'nova',
    open: (page) => page.getByLabel('Publisher').selectOption('Borealis Interactive'),
  },
  { name: 'statements-failing', path: '/statements', as: 'nova', answers: 'failing' },
  { name: 'statements-loading', path: '/statements', as: 'nova', answers: 'never' },
  {
    name: 'statement',
    path: '/statements',
    as: 'nova',
    open: async (page) => {
      await page.getByRole('link', { name: 'Aurora Stars' }).first().click();
      await page.getByText('Opening balance').waitFor();
    },
  },
  {
    name: 'statement-file-failing',
    path: '/statements',
    as: 'nova',
    open: async (page) => {
      await page.route('**/statement.pdf**', (route) =>
        route.fulfill({
          status: 503,
          json: {
            code: 'Unavailable',
            message: 'Too many files are being created right now. Try again in a few seconds.',
          },
        }),
      );
      await page.getByRole('button', { name: /^PDF/ }).first().click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'payout-method', path: '/payout-method', as: 'nova' },
  {
    name: 'payout-method-empty',
    path: '/payout-method',
    as: 'nova',
    open: (page) => page.getByLabel('Publisher').selectOption('Borealis Interactive'),
  },
  { name: 'payout-method-failing', path: '/payout-method', as: 'nova', answers: 'failing' },
  { name: 'payout-method-loading', path: '/payout-method', as: 'nova', answers: 'never' },
  { name: 'payout-method-new', path: '/payout-method/new', as: 'nova' },
  {
    name: 'payout-method-bank-invalid',
    path: '/payout-method/new',
    as: 'nova',
    open: async (page) => {
      await page.getByLabel('Bank account').check();
      await press(page, 'Continue');
    },
  },
  {
    name: 'payout-method-refused',
    path: '/payout-method/new',
    as: 'nova',
    open: async (page) => {
      await page.getByLabel('Bank account').check();
      await fill(page, 'IBAN', 'DE00 1234');
      await fill(page, 'Legal name', 'Nova Muster');
      await page.getByLabel('Country').selectOption('DE');
      await press(page, 'Continue');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'payout-method-code',
    path: '/payout-method/new',
    as: 'nova',
    open: async (page) => {
      await fill(page, 'Email address of your PayPal account', 'another@example.com');
      await fill(page, 'Legal name', 'Nova Muster');
      await page.getByLabel('Country').selectOption('DE');
      await press(page, 'Continue');
      await fill(page, 'Code', 'AAAA-AAAA');
      await press(page, 'Save payout method');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'payout-method-remove', path: ({ methodId }) => `/payout-method/${methodId}`, as: 'nova' },
  { name: 'not-me', path: ({ noticeToken }) => `/not-me#${noticeToken}`, as: null },
  {
    name: 'not-me-taken-back',
    path: ({ usedNoticeToken }) => `/not-me#${usedNoticeToken}`,
    as: null,
  },
  { name: 'not-me-refused', path: '/not-me#some-token', as: null },
  { name: 'you', path: '/you', as: 'nova' },
  { name: 'your-data', path: '/your-data', as: 'nova' },
  {
    name: 'your-data-question',
    path: '/your-data',
    as: 'nova',
    open: (page) => press(page, 'Request erasure'),
  },
  {
    name: 'your-data-requested',
    path: '/your-data',
    as: 'newcomer',
    open: async (page) => {
      await press(page, 'Request erasure');
      await press(page, 'Erase my data');
      await page.getByText('You requested the erasure of your data').waitFor();
    },
  },
  { name: 'your-data-failing', path: '/your-data', as: 'nova', answers: 'failing' },
  { name: 'your-data-loading', path: '/your-data', as: 'nova', answers: 'never' },
  { name: 'not-found', path: '/nowhere', as: 'nova' },
];

/** Opens a fresh page in a state. */
export async function openState(
  portal: PortalPages,
  furnished: Furnished,
  state: PortalState,
): Promise<Page> {
  const { as, path, answers, open } = state;
  const page = await (as === null ? portal.visit('/enter') : portal.visitAs(furnished[as], '/you'));
  await isSettled(page);
  if (answers !== undefined) await breakService(page, answers);
  await page.goto('about:blank'); // otherwise a change of only the fragment loads nothing
  await page.goto(`${portal.service().url}/creators${typeof path === 'string' ? path : path(furnished)}`);
  if (answers === 'never') await page.locator('main [aria-busy=true]').first().waitFor();
  else await isSettled(page);
  await open?.(page, furnished);
  if (answers !== 'never') await isSettled(page);
  return page;
}

/** Makes requests for a publisher's data fail or hang. The session still loads. */
async function breakService(page: Page, answers: 'failing' | 'never' | 'limited'): Promise<void> {
  const problem =
    answers === 'limited'
      ? {
          status: 429,
          json: { code: 'RateLimited', message: 'Too many requests. Try again in a few seconds.' },
        }
      : {
          status: 503,
          json: { code: 'Unavailable', message: 'The database does not answer. Try again in a moment.' },
        };
  await page.route('**/portal/v1/{home,codes,statements,payout-methods,apply/}**', async (route) => {
    if (answers === 'never') return;
    await route.fulfill({ ...problem, headers: { 'x-request-id': '0199c1de-7a3b-7000-8000-5f2a9be01c44' } });
  });
}
