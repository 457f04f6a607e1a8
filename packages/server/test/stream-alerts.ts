import { sql } from 'kysely';
import { expect } from 'vitest';
import { newRowId, randomBase62 } from '../src/platform/ids.ts';
import { hashSecret } from '../src/portal/stream-alert/alerts.ts';
import type { Browser } from './browser.ts';
import { purchase } from './fixtures.ts';
import { portalUrl, usePortal } from './portal.ts';
import { type Answer, startService, type TestService } from './test-service.ts';

/** Query of the publisher whose creators have stream alerts. */
export const at = '?publisher=aurora';
/** Path that overlays ask. */
export const path = '/portal/v1/stream-alert/purchases';

/** Starts a service, and returns functions for creators with stream alerts and for their overlays. */
export async function useStreamAlerts() {
  const time = { aheadMs: 0 };
  const clock = { now: () => new Date(Date.now() + time.aheadMs) };
  const portal = await usePortal({ clock });
  const { service, db, query, creator, makeMember } = portal;

  /** Asks as an overlay does. */
  const ask = (secret: string, after: string | null = null, to: TestService = service()): Promise<Answer> =>
    to.call('GET', after === null ? path : `${path}?after=${after}`, {
      key: null,
      headers: { authorization: `Bearer ${secret}` },
    });

  async function secretOf(from: Browser): Promise<string> {
    const { status, body } = await from.post(`/stream-alert/address${at}`, {});
    expect(status).toBe(200);
    const [page, secret = ''] = body.address.split('#');
    expect([page, secret]).toEqual([`${portalUrl}/alert`, expect.stringMatching(/^[0-9A-Za-z]{32}$/)]);
    return secret;
  }

  /** Starts another process of the same installation. */
  const another = (): Promise<TestService> =>
    startService({
      beside: service(),
      environment: { PORTAL_URL: portalUrl, SMTP_URL: portal.sink().url, TRUST_PROXY: '127.0.0.1' },
    });

  /** Makes overlays show each purchase for a number of seconds. */
  async function showFor(from: Browser, showSeconds: number): Promise<void> {
    const settings = { text: '{product}', placement: 'top', showSeconds };
    expect((await from.send('PUT', `/stream-alert${at}`, settings)).status).toBe(200);
  }

  let people = 0;
  /** Creates a creator with a stream alert. */
  async function streamer() {
    people += 1;
    const name = `STREAMER${people}`;
    const memberId = await makeMember('moba', name);
    const from = await creator(`streamer${people}@example.com`, memberId);
    return { code: name, memberId, from, secret: await secretOf(from) };
  }

  /** Opens an overlay. @returns its cursor */
  async function opened(secret: string): Promise<string> {
    const { status, body } = await ask(secret);
    expect([status, body.purchases, body.more]).toEqual([200, [], 0]);
    return body.cursor;
  }

  const sale = (code: string, changes: object = {}) =>
    purchase({ code, transactionDate: clock.now().toISOString(), ...changes });

  async function record(...sent: readonly ReturnType<typeof sale>[]): Promise<void> {
    const answer = await portal.record(sent.length === 1 ? sent[0] : sent, { query: '?groupId=moba' });
    expect(answer).toMatchObject({ status: 200 });
  }

  const productsOf = ({ status, body }: Answer): string[] => {
    expect(status).toBe(200);
    return body.purchases.map(({ product }: { product: string }) => product);
  };

  /** Adds stream alerts of people without accounts. @returns their secrets */
  async function addAlerts(publisherId: string, count: number): Promise<string[]> {
    const secrets = Array.from({ length: count }, () => randomBase62(32));
    const ids = secrets.map(() => newRowId());
    await sql`
      insert into portal_user (user_id, email, created_at)
      select id, id || '@example.com', now() from unnest(${ids}::text[]) as n (id)`.execute(db());
    await sql`
      insert into stream_alert (publisher_id, user_id, secret_hash, created_at, text, placement, show_seconds, seen_at)
      select ${publisherId}, id, secret_hash, now(), '{product}', 'top', 6, now()
      from unnest(${ids}::text[], ${secrets.map(hashSecret)}::bytea[]) as n (id, secret_hash)`.execute(db());
    return secrets;
  }

  const removeAlerts = (secrets: readonly string[]) =>
    query(sql`delete from stream_alert where secret_hash = any(${secrets.map(hashSecret)}::bytea[])`);

  /** Returns true for a 503 that isn't about stream alerts: a busy machine's database responds too late. */
  const isBusy = (status: number, body: string): boolean => status === 503 && !body.includes('stream alerts');

  /** Asks with all secrets at once, without sockets, until each request is rejected. @returns the rejections so far */
  function askAll(secrets: readonly string[], after: string) {
    const rejections: Answer[] = [];
    const all = secrets.map(async (secret) => {
      for (;;) {
        const { statusCode: status, body } = await service().app.inject({
          url: `${path}?after=${after}`,
          headers: { authorization: `Bearer ${secret}` },
        });
        // Nothing was recorded within 20 seconds, or the machine is busy.
        if (status === 200 || isBusy(status, body)) continue;
        rejections.push({ status, body: JSON.parse(body) } as Answer);
        return;
      }
    });
    return { rejections, done: Promise.all(all) };
  }

  const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted();
  return {
    ...{ portal, time, clock, ask, secretOf, another, showFor, streamer, opened, sale, record, productsOf },
    ...{ addAlerts, removeAlerts, isBusy, askAll, statusesOf },
  };
}
