import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Browser } from './browser.ts';
import { type PortalTest, usePortal } from './portal.ts';
import type { SignedInPerson } from './staff.ts';
import type { Answer, ServiceOptions } from './test-service.ts';

export const termsText = 'Be kind.\nYou are 13 or older.';
export const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Functions for creators who apply to groups of aurora, and for the staff who decides. */
export interface Applications extends PortalTest {
  /** Creates a group of aurora and opens it for applications. @returns its settings */
  openGroup(groupId: string, settings?: object): Promise<{ version: string; [name: string]: unknown }>;
  settings(groupId: string, staff?: SignedInPerson): Promise<Answer>;
  /** Changes settings, based on the current ones. */
  change(groupId: string, settings: object): Promise<Answer>;
  applyTo(from: Browser, groupId: string, body?: object): Promise<Answer>;
  /** Signs in, and applies. */
  applicant(email: string, groupId: string, code: string, name?: string): Promise<Browser>;
  /** Returns the id of the account that has a person's address. */
  accountOf(from: Browser): Promise<string>;
  /** Returns the state of a person's application to a group. */
  stateOf(from: Browser, groupId: string): Promise<Record<string, unknown> | undefined>;
}

export const useApplications = async (options: ServiceOptions = {}): Promise<Applications> =>
  withApplications(await usePortal(options));

/** Adds the functions for applications to those for the portal. */
export function withApplications<Portal extends PortalTest>(portal: Portal): Portal & Applications {
  const pathOf = (groupId: string) => `/groups/${groupId}/applications`;
  const test: Portal & Applications = {
    ...portal,
    async openGroup(groupId, settings = {}) {
      await portal.makeEmptyGroup(groupId, `name: The ${groupId}`);
      const opened = await test.change(groupId, { open: true, terms: termsText, ...settings });
      expect(opened).toMatchObject({ status: 200, body: { isOpen: true } });
      return opened.body;
    },
    async settings(groupId, staff) {
      return (staff ?? (await portal.owner())).ask('GET', pathOf(groupId));
    },
    async change(groupId, settings) {
      const staff = await portal.owner();
      const { version } = (await test.settings(groupId, staff)).body;
      return staff.ask('PUT', pathOf(groupId), { version, ...settings });
    },
    applyTo: (from, groupId, body = {}) =>
      from.post(`/apply/aurora/${groupId}`, {
        name: 'Nia',
        code: 'NIA',
        termsSha256: hashOf(termsText),
        ...body,
      }),
    async applicant(email, groupId, code, name = code) {
      const browser = await portal.signedIn(email);
      expect(await test.applyTo(browser, groupId, { code, name })).toMatchObject({ status: 200, body: {} });
      return browser;
    },
    async accountOf(from) {
      return (await from.get('/accounts')).body.rows[0].accountId;
    },
    async stateOf(from, groupId) {
      const { rows } = (await from.get('/applications')).body;
      return rows.find((row: { groupId: string }) => row.groupId === groupId);
    },
  };
  return test;
}
