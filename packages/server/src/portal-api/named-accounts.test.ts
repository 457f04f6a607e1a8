import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { type ProviderId, startCreatorProviders } from '../../test/creator-providers.ts';
import { purchase } from '../../test/fixtures.ts';
import { portalOrigin, usePortal } from '../../test/portal.ts';
import { providerVisits } from '../../test/provider-visits.ts';

const providers = await startCreatorProviders(portalOrigin);
afterAll(() => providers.close());
const { environment, providerUrls, there } = providers;
const portal = await usePortal({ environment, providerUrls });
const { add } = providerVisits(portal, there);
const { service, creator, signedIn, makeMember, query, record, settle } = portal;

let made = 0;
/** Creates a creator for whom the publisher names a provider account. @returns the creator's id and the provider's id */
async function named(provider: ProviderId): Promise<{ memberId: string; id: string; name: string }> {
  made += 1;
  const name = `NAMED${made}`;
  const id = `there-${made}`;
  const memberId = await makeMember('moba', name, `identities: [ { provider: ${provider}, id: ${id} } ]`);
  return { memberId, id, name };
}
const person = () => signedIn(`named-${made}@example.com`);
/** Returns the person's sign-in method at a provider. */
const methodOf = async (browser: Browser, provider: ProviderId): Promise<string> =>
  (await browser.get('/sign-in-methods')).body.rows.find(({ kind }: { kind: string }) => kind === provider)
    ?.signInMethodId ?? 'none';
const rowsOf = async (browser: Browser) => (await browser.get('/named-accounts')).body.rows;
const reviewsOf = (memberId: string) =>
  query<{ note: string }>(sql`
    select g.note from payee_gate g
    left join payee_gate_end e on e.publisher_id = g.publisher_id and e.gate_id = g.gate_id
    where g.account_id = ${memberId} and g.kind = 'review' and e.gate_id is null`);
const actionsOf = (memberId: string) =>
  query<{ action: string; publisher_id: string }>(sql`
    select publisher_id, action from audit_entry where target = ${`member:${memberId}`} and actor_kind = 'creator' order by audit_id`);

describe('a creator account that a publisher names a provider account for', () => {
  test.each(['twitch', 'discord', 'youtube', 'aurora'] as const)(
    'can be connected after a visit to %s, and is then under review',
    async (provider) => {
      const { memberId, id, name } = await named(provider);
      const browser = await person();
      expect(await rowsOf(browser)).toEqual([]);
      expect(await browser.post(`/named-accounts/${memberId}/connect`, {}), 'not proven').toMatchObject({
        status: 404,
      });
      await add(browser, provider, id);
      const methodId = await methodOf(browser, provider);
      expect(await rowsOf(browser)).toMatchObject([
        { name, provider: expect.any(String), publishers: [{ publisherId: 'aurora' }] },
      ]);
      expect(await browser.get('/accounts'), 'nothing is connected by itself').toMatchObject({
        body: { rows: [] },
      });
      const other = await signedIn(`other-${made}@example.com`);
      expect(await other.post(`/named-accounts/${methodId}/connect`, {}), 'another person').toMatchObject({
        status: 404,
      });
      expect(await browser.post(`/named-accounts/${methodId}/connect`, {})).toMatchObject({ status: 200 });
      expect((await browser.get('/accounts')).body.rows).toMatchObject([
        { accountId: memberId, proof: 'provider' },
      ]);
      expect(await rowsOf(browser)).toEqual([]);
      expect(await reviewsOf(memberId)).toMatchObject([{ note: expect.stringContaining(provider) }]);
      expect(await actionsOf(memberId)).toMatchObject([
        { action: 'member.review', publisher_id: 'aurora' },
        { action: 'portal.connect', publisher_id: 'aurora' },
      ]);
      expect(await browser.post(`/named-accounts/${methodId}/connect`, {}), 'again').toMatchObject({
        status: 404,
      });
    },
  );

  test('is not paid to someone with a stolen provider account until the publisher ends the review', async () => {
    const { id, name } = await named('twitch');
    expect(await record(purchase({ code: name }), { query: '?groupId=moba' })).toMatchObject({ status: 200 });
    await settle();
    const thief = await person();
    await add(thief, 'twitch', id);
    await thief.post(`/named-accounts/${await methodOf(thief, 'twitch')}/connect`, {});
    const { groups } = (await thief.get('/home?publisher=aurora')).body;
    const [{ currencies }] = groups;
    expect(currencies[0]).toMatchObject({
      nextPayoutMinor: '0',
      waiting: [{ reasons: expect.arrayContaining([expect.objectContaining({ kind: 'review' })]) }],
    });
  });

  test('is not offered with an equal id at another provider or issuer, or once another person has it', async () => {
    const { memberId, id, name } = await named('aurora');
    const browser = await person();
    await add(browser, 'studio', id);
    await add(browser, 'twitch', id);
    expect(await rowsOf(browser)).toEqual([]);
    await add(browser, 'aurora', id);
    const methodId = await methodOf(browser, 'aurora');
    expect(await rowsOf(browser)).toMatchObject([{ name }]);
    await query(
      sql`update portal_provider_account set issuer = 'https://former.example' where subject = ${id} and provider = 'aurora'`,
    );
    expect(await rowsOf(browser), 'an issuer that is not used anymore').toEqual([]);
    await query(
      sql`update portal_provider_account set issuer = ${there.aurora.issuer} where subject = ${id} and provider = 'aurora'`,
    );
    await creator('first@example.com', memberId);
    expect(await rowsOf(browser)).toEqual([]);
    for (const what of ['connect', 'refuse'])
      expect(await browser.post(`/named-accounts/${methodId}/${what}`, {})).toMatchObject({ status: 404 });
    expect(await reviewsOf(memberId)).toEqual([]);
  });

  test('can be refused, which frees the provider account', async () => {
    const { memberId, id } = await named('discord');
    const browser = await person();
    await add(browser, 'discord', id);
    const methodId = await methodOf(browser, 'discord');
    expect(await browser.post(`/named-accounts/${methodId}/refuse`, {})).toMatchObject({ status: 200 });
    expect(await rowsOf(browser)).toEqual([]);
    expect(await query(sql`select 1 from creator_identity where account_id = ${memberId}`)).toEqual([]);
    expect(await actionsOf(memberId)).toMatchObject([{ action: 'portal.refuse-identity' }]);
    expect(await reviewsOf(memberId)).toEqual([]);
    const right = await makeMember(
      'moba',
      `RIGHT${made}`,
      `identities: [ { provider: discord, id: ${id} } ]`,
    );
    expect(await rowsOf(browser)).toMatchObject([{ name: right.slice('acc_'.length) }]);
  });

  test('goes to one of two requests at the same time', async () => {
    const { memberId, id } = await named('twitch');
    const browser = await person();
    await add(browser, 'twitch', id);
    const methodId = await methodOf(browser, 'twitch');
    const answers = await Promise.all(
      ['connect', 'connect', 'refuse'].map((what) => browser.post(`/named-accounts/${methodId}/${what}`, {})),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 404].includes(status))).toEqual([]);
    expect(statuses).toContain(200);
    expect((await reviewsOf(memberId)).length).toBeLessThanOrEqual(1);
  });

  test('needs a session', async () => {
    expect(await portal.browser().get('/named-accounts')).toMatchObject({ status: 401 });
    expect(await service().call('GET', '/portal/v1/named-accounts')).toMatchObject({ status: 401 });
  });
});
