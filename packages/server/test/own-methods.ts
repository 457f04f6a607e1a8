import { sql } from 'kysely';
import { beforeAll, expect } from 'vitest';
import { publishersWithNotices } from '../src/notices/take-notices.ts';
import type { Portal } from '../src/portal/create-portal.ts';
import { sendNotices } from '../src/portal/notices/send-notices.ts';
import type { Browser } from './browser.ts';
import { composeTestService } from './compose-test-service.ts';
import { type Mailed, type PortalTest, portalUrl, usePortal } from './portal.ts';

export const paypal = (email: string, changes: object = {}) => ({
  kind: 'paypal',
  holderName: 'Maria Ñandú',
  holderType: 'individual',
  country: 'ES',
  email,
  ...changes,
});

export const bank = (iban: string) => ({
  kind: 'sepa',
  holderName: 'Maria Muster',
  holderType: 'individual',
  country: 'DE',
  iban,
});

/** Query of the publisher whose creators the tests are. */
export const at = '?publisher=aurora';

export interface Person {
  from: Browser;
  memberId: string;
  email: string;
}

/** Functions for creators who change their own payout methods, on a service whose clock can be moved. */
export interface OwnMethodsTest extends PortalTest {
  clock: { now(): Date };
  /** Portal of another process, which sends emails. */
  portal(): Portal;
  /** Runs work at a later time on the service's clock. */
  later(ms: number, work: () => Promise<unknown>): Promise<void>;
  /** Creates a creator who is signed in. */
  person(): Promise<Person>;
  /** Requests a code for a method. @returns the code */
  codeFor(from: Browser, method: object): Promise<string>;
  /** Enters a method with its code. */
  enter(from: Browser, method: object): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of any shape
  methodsOf(from: Browser): Promise<any[]>;
  /** Sends the waiting emails. @returns those that arrived */
  sent(): Promise<Mailed[]>;
  /** Returns everything that the operations write. */
  saved(): Promise<unknown>;
}

export async function useOwnMethods(): Promise<OwnMethodsTest> {
  let [nowMs, people] = [Date.now(), 0];
  const clock = { now: () => new Date(nowMs) };
  const base = await usePortal({ clock });
  const { service, sink, query } = base;
  let portal: Portal;
  beforeAll(() => {
    const environment = { PORTAL_URL: portalUrl, SMTP_URL: sink().url };
    portal = composeTestService(service().testDatabase.database, { environment, clock }).portal;
  });
  const test: OwnMethodsTest = {
    ...base,
    clock,
    portal: () => portal,
    async later(ms, work) {
      nowMs += ms;
      await work().finally(() => {
        nowMs -= ms;
      });
    },
    async person() {
      people += 1;
      const email = `own-${people}@example.com`;
      const memberId = await base.makeMember('moba', `OWN${people}`);
      return { from: await base.creator(email, memberId), memberId, email };
    },
    async codeFor(from, method) {
      const answer = await from.post(`/payout-methods/codes${at}`, method);
      expect([answer.status, answer.body]).toMatchObject([200, {}]);
      return (await base.nextMail()).code;
    },
    async enter(from, method) {
      const code = await test.codeFor(from, method);
      const saving = await from.post(`/payout-methods${at}`, { ...method, code });
      expect(saving).toMatchObject({ status: 200, body: {} });
    },
    methodsOf: async (from) => (await from.get(`/payout-methods${at}`)).body.methods,
    async sent() {
      const { background } = service().testDatabase.database;
      let count = 0;
      for (const publisherId of await publishersWithNotices(background, clock.now()))
        count += await sendNotices(portal, background, publisherId);
      const mails: Mailed[] = [];
      for (let index = 0; index < count; index += 1) mails.push(await base.nextMail());
      return mails;
    },
    saved: () =>
      query(sql`
        select (select json_agg(p order by p.method_id) from payee_method p) as methods,
               (select count(*) from creator_notice) as notices, (select count(*) from payee_gate) as gates,
               (select count(*) from portal_session) as sessions,
               (select count(used_at) from portal_confirmation) as used,
               (select count(*) from audit_entry) as entries`),
  };
  return test;
}
