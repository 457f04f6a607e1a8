import { expect } from 'vitest';
import { authCodeSecret, issueAuthCode } from '../src/linking/issue-auth-code.ts';
import { systemClock } from '../src/platform/clock.ts';
import { toAccountId } from '../src/platform/ids.ts';
import { type Money, useMoney } from './money.ts';
import { testSealer } from './sealer.ts';
import type { Answer, CallOptions, ServiceOptions, TestService } from './test-service.ts';

interface Sent extends Pick<CallOptions, 'headers'> {
  /** Key to send; the publisher's secret key if absent, no key if null. */
  key?: string | null;
  /** Another process of the same installation. */
  at?: TestService;
}

export interface Linked {
  groupId: string;
  groupName: string;
  id: string;
  playerId: string;
  codes: { code: string; isPrimary: boolean; isGenerated: boolean; isManaged: boolean }[];
}

/** Functions that link accounts to aurora's players, on a service with the fixtures. */
export interface Linking extends Money {
  makeEmptyGroup(groupId: string, settings?: string): Promise<void>;
  /** Creates an unclaimed member. @returns its code */
  generate(groupId: string, playerId: string, more?: object): Promise<string>;
  /** Creates an account that is a member only of the publisher rival's group. @returns its id */
  makeOutsider(name: string): Promise<string>;
  /** Creates a group member with its own code, by default without a playerId. @returns its account's id */
  makeMember(groupId: string, name: string, settings?: string): Promise<string>;
  authCode(accountId: string): Promise<string>;
  /** Sends a link request as a form, or as given in `body`. */
  link(groupId: string, body: Record<string, string> | { json: unknown }, sent?: Sent): Promise<Answer>;
  /** Links an account to a player. Fails the test if the link is rejected. */
  linked(
    groupId: string,
    accountId: string,
    playerId: string,
    more?: Record<string, string>,
  ): Promise<Linked>;
}

export function useLinking(options: ServiceOptions = {}): Linking {
  // Tests that are not about the limit send many link requests for one player.
  const environment = { LINK_MISSES_PER_MINUTE_PER_PLAYER: '100', ...options.environment };
  const money = useMoney({ ...options, environment });
  const { service, keys, send, provisionGroup, db } = money;
  const clock = options.clock ?? systemClock;
  const linking: Linking = {
    ...money,
    makeEmptyGroup: (groupId, settings = '') => provisionGroup(groupId, `revShare: 10, ${settings}`),
    async generate(groupId, playerId, more = {}) {
      const { status, body } = await send('POST', `/members?groupId=${groupId}`, { playerId, ...more });
      expect(status).toBe(200);
      return body.code;
    },
    async makeOutsider(name) {
      const id = `acc_${name}`;
      const member = `{ id: ${id}, name: ${name}, codes: [ { code: ${name}, primary: true } ] }`;
      await service().provision(
        `{ publisher: { id: rival }, groups: [ { id: main, members: [ ${member} ] } ] }`,
      );
      return id;
    },
    async makeMember(groupId, name, settings = '') {
      const id = `acc_${name}`;
      await provisionGroup(
        groupId,
        `members: [ { id: ${id}, name: ${name}, codes: [ { code: ${name}, primary: true } ], ${settings} } ]`,
      );
      return id;
    },
    async authCode(accountId) {
      const secret = await authCodeSecret(db(), testSealer);
      const issuing = { db: db(), secret, now: clock.now() };
      return (await issueAuthCode(issuing, toAccountId(accountId))).authCode;
    },
    link(groupId, body, { key = keys().backend, at = service(), headers = {} } = {}) {
      const sent = 'json' in body ? { json: body.json } : { form: body as Record<string, string> };
      return at.call('POST', `/v1/manage/members/link?groupId=${groupId}`, { key, headers, ...sent });
    },
    async linked(groupId, accountId, playerId, more = {}) {
      const authCode = await linking.authCode(accountId);
      const { status, body } = await linking.link(groupId, { playerId, authCode, ...more });
      expect([status, body]).toEqual([200, expect.anything()]);
      return body;
    },
  };
  return linking;
}
