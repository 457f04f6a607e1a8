import { beforeAll } from 'vitest';
import { publishersWithNotices } from '../src/notices/take-notices.ts';
import type { Portal } from '../src/portal/create-portal.ts';
import { sendNotices } from '../src/portal/notices/send-notices.ts';
import { composeTestService } from './compose-test-service.ts';
import { type Mailed, mailedIn, type PortalTest, portalUrl, usePortal } from './portal.ts';

/** Email that can be turned off. */
export interface MailedNotice extends Mailed {
  /** Line of the subject. */
  title: string;
  messageId: string;
  /** Value of the header; null if the email can't be turned off. */
  listUnsubscribe: string | null;
  /** Token of the link that turns it off. */
  unsubscribeToken: string;
}

/** Functions for creators who are told of things, on a service whose clock can be moved. */
export interface NoticesTest extends PortalTest {
  clock: { now(): Date };
  /** Portal of another process, which sends emails. */
  portal(): Portal;
  /** Runs work at a later time on the service's clock. */
  later<Result>(ms: number, work: () => Promise<Result>): Promise<Result>;
  /** Sends everything that is due. @returns the emails that arrived */
  sent(portal?: Portal): Promise<MailedNotice[]>;
}

export async function useNotices(): Promise<NoticesTest> {
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const base = await usePortal({ clock });
  const { service, sink } = base;
  let portal: Portal;
  beforeAll(() => {
    const environment = { PORTAL_URL: portalUrl, SMTP_URL: sink().url };
    portal = composeTestService(service().testDatabase.database, { environment, clock }).portal;
  });
  return {
    ...base,
    clock,
    portal: () => portal,
    async later(ms, work) {
      aheadMs += ms;
      return work().finally(() => {
        aheadMs -= ms;
      });
    },
    async sent(by = portal) {
      const { background } = service().testDatabase.database;
      const before = sink().mails.length;
      for (let taken = 1; taken > 0; ) {
        taken = 0;
        for (const publisherId of await publishersWithNotices(background, clock.now()))
          taken += await sendNotices(by, background, publisherId);
      }
      // The server has stored an email before it accepts it.
      const mails: MailedNotice[] = [];
      for (let index = before; index < sink().mails.length; index += 1)
        mails.push(noticeIn(await sink().next()));
      return mails;
    },
  };
}

export function noticeIn(raw: string): MailedNotice {
  const mail = mailedIn(raw);
  const unfolded = mail.text.replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string): string | null =>
    new RegExp(`^${name}: (.*)\\r$`, 'm').exec(unfolded)?.[1] ?? null;
  return {
    ...mail,
    title: header('Subject') ?? '',
    messageId: header('Message-ID') ?? '',
    listUnsubscribe: header('List-Unsubscribe'),
    unsubscribeToken: /\/unsubscribe#([\w.-]+)/.exec(mail.text)?.[1] ?? '',
  };
}
