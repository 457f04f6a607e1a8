import { serviceSecret } from '../../../server/src/platform/secrets/service-secret.ts';
import { takeBackToken } from '../../../server/src/portal/methods/take-back-links.ts';
import { unsubscribeToken } from '../../../server/src/portal/notices/unsubscribe-links.ts';
import { withApplications } from '../../../server/test/applications.ts';
import type { Browser } from '../../../server/test/browser.ts';
import { endSandbox, monthsOf } from '../../../server/test/months.ts';
import { testSealer } from '../../../server/test/sealer.ts';
import type { PortalPages } from '../portal.ts';
import { type Earner, makeEarner } from './furnish-earnings.ts';
import { addProviders } from './furnish-sign-in.ts';

/** People who look at the portal's pages. */
export interface Furnished extends Earner {
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
  /** Token of the link that turns emails about payments off. */
  unsubscribeToken: string;
  /** Returns the code in the next email to a person that allows a download or an erasure. */
  nextCodeTo(email: string, action: 'download' | 'erase'): Promise<string>;
  /** Sign-in method of the first creator. */
  signInMethodId: string;
  /** Creates an auth code for an account that no one has connected. */
  authCode(): Promise<string>;
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
  const unsubscribing = await subscribe(portal);
  const applicant = await makeApplicant(portal);
  const earner = await makeEarner(portal);
  return {
    nova,
    newcomer,
    applicant,
    ...earner,
    invitation: token,
    ...methods,
    unsubscribeToken: unsubscribing,
    async nextCodeTo(email, action) {
      for (;;) {
        const { to, code, text } = await portal.nextMail();
        if (to === email && text.includes(`Your code to ${action} your data`)) return code;
      }
    },
    signInMethodId: await addProviders(portal, nova),
    authCode: () => portal.authCode('acc_free'),
  };
}

/** Gives the first creator a further address. @returns the token of the link that turns emails about payments off */
async function subscribe(portal: PortalPages): Promise<string> {
  const { user_id: userId } = await portal
    .db()
    .selectFrom('portal_user')
    .select('user_id')
    .where('email', '=', 'nova@example.com')
    .executeTakeFirstOrThrow();
  await portal
    .db()
    .insertInto('portal_email')
    .values({ email: 'backup@example.com', user_id: userId, added_at: new Date() })
    .execute();
  return unsubscribeToken(await secretOf(portal), { userId, subject: 'paid' });
}

/** Opens groups for applications, and applies to two of them. */
async function makeApplicant(portal: PortalPages): Promise<Browser> {
  const { openGroup, applicant, applyTo, accountOf } = withApplications(portal);
  const terms = Array.from(
    { length: 12 },
    (_, at) => `${at + 1}. Say that you are paid for purchases with your code. You are 13 or older.`,
  ).join('\n\n');
  await openGroup('open', { terms });
  await openGroup('full', { maxPending: 1 });
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
      .selectFrom('creator_notice')
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
