import { sql } from 'kysely';
import { beforeAll, beforeEach, expect } from 'vitest';
import { completeBounties, publishersToCheck } from '../src/bounties/complete/complete-bounties.ts';
import type { ProgressRecord } from '../src/bounties/read/bounty-record.ts';
import { systemClock } from '../src/platform/clock.ts';
import type { Db } from '../src/platform/database/database.ts';
import type { EventId } from '../src/platform/database/tables.generated.ts';
import { toBody } from '../src/webhooks/delivery/send/signature.ts';
import { expectDocumentedWebhook } from './documented-response.ts';
import { type Money, settleAll, useMoney } from './money.ts';
import type { Answer, CallOptions, TestService } from './test-service.ts';

type Json = Record<string, unknown>;

/** Earned reward, as identified in events and lists. */
export interface Given {
  id: string;
  type: string;
  rewardCompleted: boolean;
  rewardReferenceId?: string;
}

/**
 * Functions for bounties on a service with the fixtures. Each test has its own group with the members A and
 * B.
 */
export interface Bounties extends Money {
  group(): string;
  memberId(member: 'A' | 'B'): string;
  /** Sets the time for the service and the checks; null for the real time. */
  setNow(time: string | null): void;
  now(): Date;
  /** Defines a bounty, by default with an objective of one purchase and an External reward. @returns its id */
  define(changes?: Json, groupId?: string): Promise<string>;
  defineAll(bounties: Json[], groupId?: string): Promise<void>;
  /** Posts purchases and checks progress until no work is left. @returns the number of completions */
  settleAndCheck(): Promise<number>;
  check(): Promise<number>;
  bounties(method: string, path: string, options?: CallOptions & { at?: TestService }): Promise<Answer>;
  /** Returns a member's progress toward a bounty; undefined before the member has started. */
  progress(bountyId: string, member?: 'A' | 'B'): Promise<ProgressRecord | undefined>;
  /** Formats progress as `completions/count[, count…]`, such as 1/0. */
  standing(bountyId: string, member?: 'A' | 'B'): Promise<string>;
  given(bountyId: string, member?: 'A' | 'B'): Promise<Given[]>;
  /** Returns a bounty's events, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads
  events(bountyId: string): Promise<any[]>;
}

export const longAgo = '2024-05-01T12:00:00.000Z';

let bounties = 0;

/** Returns a bounty for a program file, open since 2024. */
export function bounty(changes: Json = {}): Json {
  bounties += 1;
  return {
    id: `bounty-${bounties}`,
    name: `Bounty ${bounties}`,
    startsAt: '2024-01-01T00:00:00Z',
    objectives: [{ name: 'Sell', type: 'Purchase', count: 1 }],
    rewards: [{ name: 'Trophy', type: 'External', externalId: 'trophy' }],
    ...changes,
  };
}

export const purchases = (count: number, more: Json = {}): Json => ({
  name: 'Sell',
  type: 'Purchase',
  count,
  ...more,
});
export const amount = (count: number, currency = 'USD', more: Json = {}): Json => ({
  name: 'Earn',
  type: 'Purchase',
  condition: 'Amount',
  count,
  currency,
  ...more,
});
export const newPlayers = (count: number, more: Json = {}): Json => ({
  name: 'Bring players',
  type: 'NewPlayers',
  count,
  ...more,
});
export const eventsOf = (eventCode: string, count: number): Json => ({
  name: 'Do',
  type: 'Event',
  eventCode,
  count,
});

let groups = 0;

export function useBounties(): Bounties {
  let fixed: string | null = null;
  const now = (): Date => (fixed === null ? systemClock.now() : new Date(fixed));
  const money = useMoney({ clock: { now } });
  let group = '';
  beforeAll(async () => {
    await money.query(sql`
      insert into webhook_endpoint (publisher_id, endpoint_id, url, event_kinds, secret, is_enabled)
      values ('aurora', 'kept', 'https://game.example', '{Bounty/BountyReward}', ${'s'.repeat(24)}, false)`);
  });
  beforeEach(async () => {
    fixed = null;
    groups += 1;
    group = `b${groups}`;
    await money.makeGroup(group, 'holdDays: 0,');
  });
  const call: Bounties['bounties'] = (method, path, { at, ...options } = {}) =>
    (at ?? money.service()).call(method, `/v1${path}`, { key: money.keys().backend, ...options });
  const defineAll: Bounties['defineAll'] = async (all, groupId = group) => {
    await money
      .service()
      .provision(JSON.stringify({ publisher: { id: 'aurora' }, groups: [{ id: groupId, bounties: all }] }));
  };
  const check = (): Promise<number> => checkAll(money.db(), now());
  const memberId = (member: 'A' | 'B'): string => `acc_${group}_${member}`;
  const progress: Bounties['progress'] = async (bountyId, member = 'A') => {
    const { status, body } = await call(
      'GET',
      `/bounties/${bountyId}?groupId=${group}&includeProgress=true&pageSize=100`,
    );
    expect(status).toBe(200);
    return body.progress.data.find((each: ProgressRecord) => each.member.id === memberId(member));
  };
  return {
    ...money,
    group: () => group,
    memberId,
    now,
    setNow(time) {
      fixed = time;
    },
    async define(changes = {}, groupId = group) {
      const made = bounty(changes);
      await defineAll([made], groupId);
      return String(made.id);
    },
    defineAll,
    check,
    async settleAndCheck() {
      await settleAll(money.db());
      return check();
    },
    bounties: call,
    progress,
    async standing(bountyId, member = 'A') {
      const found = await progress(bountyId, member);
      if (found === undefined) return 'not begun';
      return `${found.completionCount}/${found.currentObjectives.map(({ count }) => count).join(',')}`;
    },
    async given(bountyId, member = 'A') {
      const found = await progress(bountyId, member);
      return (found?.completedObjectives ?? []).flatMap(({ rewards }) => rewards);
    },
    async events(bountyId) {
      const rows = await money.query(sql<{ event_id: EventId; created_at: Date; event: string }>`
        select event_id, created_at, event from webhook_event
        where publisher_id = 'aurora' and kind = 'Bounty/BountyReward' and event::json ->> 'bountyId' = ${bountyId}
        order by event_id`);
      return rows.map(({ event_id, created_at, event }) => {
        const kind = 'Bounty/BountyReward';
        const sent = JSON.parse(toBody({ eventId: event_id, createdAt: created_at, kind, event }));
        expectDocumentedWebhook(money.service().app, sent);
        return sent.event;
      });
    },
  };
}

/** Checks progress until no work is left. @returns the number of completions */
export async function checkAll(db: Db, now: Date): Promise<number> {
  let completions = 0;
  for (;;) {
    const publishers = await publishersToCheck(db, now);
    if (publishers.length === 0) return completions;
    for (const publisherId of publishers)
      completions += (await completeBounties(db, publisherId, now)).completed;
  }
}
