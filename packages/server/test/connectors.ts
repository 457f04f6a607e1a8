import { beforeAll, expect } from 'vitest';
import { pollConnectors } from '../src/connectors/poll/poll-connectors.ts';
import type { PollDeps } from '../src/connectors/poll/poll-deps.ts';
import { providerOf, webhookProviderOf } from '../src/connectors/providers/all-providers.ts';
import type { ConnectorSettings } from '../src/connectors/settings.ts';
import type { EventDeps } from '../src/connectors/work/deps.ts';
import { wakeMissingCodes } from '../src/connectors/work/wake-missing-codes.ts';
import { workEvents } from '../src/connectors/work/work-events.ts';
import type { Clock } from '../src/platform/clock.ts';
import { type Asking, asRole } from './admin.ts';
import { composeTestService } from './compose-test-service.ts';
import { type Money, useMoney } from './money.ts';
import type { Answer } from './test-service.ts';

export const shopSecret = 'whsec_0123456789abcdef';

export interface Shop {
  id: string;
  provider: string;
  settings: ConnectorSettings;
  secret: string;
}

export interface Connectors extends Omit<Money, 'send'> {
  owner(): Asking;
  /** Adds a connector of a publisher. */
  shop(provider: string, changes?: Record<string, unknown>, publisherId?: string): Promise<Shop>;
  /** Sends a body as the provider does: signed with the connector's secret. */
  send(shop: Shop, body: unknown, changes?: Sent): Promise<Answer>;
  /** Sends a fixture of the provider. @returns the answer's status */
  deliver(shop: Shop, fixture: string, order: Partial<SentOrder> & { orderId: string }): Promise<number>;
  /** Works on all due events. */
  work(publisherId?: string): Promise<number>;
  wakeCodes(): Promise<number>;
  /** Polls the connectors that are due. @returns the number of events that were stored */
  poll(): Promise<number>;
  /** Returns what a process needs to poll. */
  pollDeps(): PollDeps;
  /** Returns what a process needs to work on events. */
  eventDeps(): EventDeps;
  /** Returns the events of a connector, the oldest first. */
  events(shop: Shop, query?: string): Promise<ShownEvent[]>;
  /** Returns the status and reason of each event of an order, the oldest first. */
  outcomes(shop: Shop, orderId?: string): Promise<string[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of any shape
export type ShownEvent = any;

export interface Sent {
  secret?: string;
  now?: Date;
  headers?: Record<string, string>;
  raw?: Buffer;
}

interface SentOrder {
  code: string;
  playerId: string;
  now: Date;
}

/** Starts a service with the fixtures, whose connectors receive signed events. */
export function useConnectors(
  clock: Clock,
  environment: () => Record<string, string> = () => ({}),
): Connectors {
  const money = useMoney({ clock });
  let owner: Asking | undefined;
  let service: ReturnType<typeof composeTestService> | undefined;
  beforeAll(async () => {
    owner = await asRole(money.service(), 'owner');
    service = composeTestService(money.service().testDatabase.database, {
      clock,
      environment: environment(),
    });
    return () => service?.stop();
  });
  const ask: Asking = (...request) => {
    if (owner === undefined) throw new Error('the service is not started');
    return owner(...request);
  };
  const deps = () => {
    if (service === undefined) throw new Error('the service is not started');
    return service.eventDeps(money.db());
  };

  const connectors: Connectors = {
    ...money,
    owner: () => ask,
    async shop(provider, changes = {}, publisherId = 'aurora') {
      names += 1;
      const asking = publisherId === 'aurora' ? ask : await asRole(money.service(), 'owner', publisherId);
      const settings = (changes.settings ?? {}) as ConnectorSettings;
      const { status, body } = await asking('POST', '/connectors', {
        ...{ name: `shop ${names}`, provider, secret: shopSecret },
        ...changes,
      });
      expect(status, JSON.stringify(body)).toBe(200);
      return { id: body.connectorId, provider, settings, secret: (changes.secret as string) ?? shopSecret };
    },
    send(
      { id, provider, settings, secret: own },
      body,
      { secret = own, now = clock.now(), headers, raw } = {},
    ) {
      const bytes = raw ?? Buffer.from(JSON.stringify(body));
      return money.service().call('POST', `/hooks/v1/${id}`, {
        raw: bytes,
        headers: {
          'content-type': 'application/json',
          ...webhookProviderOf(provider)?.sign(bytes, secret, now, settings),
          ...headers,
        },
      });
    },
    async deliver(shop, name, order) {
      const fixture = providerOf(shop.provider).fixtures.find((each) => each.name === name);
      if (fixture === undefined) throw new Error(`no fixture ${name}`);
      const body = fixture.body({ code: 'ALICE', playerId: 'buyer-1', now: clock.now(), ...order });
      return (await connectors.send(shop, asLive(body))).status;
    },
    async work(publisherId = 'aurora') {
      let worked = 0;
      for (;;) {
        const count = await workEvents(deps(), publisherId);
        if (count === 0) return worked;
        worked += count;
      }
    },
    wakeCodes: () => wakeMissingCodes(deps()),
    poll: () => pollConnectors(connectors.pollDeps(), new AbortController().signal),
    pollDeps() {
      if (service === undefined) throw new Error('the service is not started');
      return service.pollDeps(money.db());
    },
    eventDeps: deps,
    async events({ id }, query = '') {
      const { status, body } = await ask('GET', `/connectors/${id}/events?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.rows.reverse();
    },
    async outcomes(shop, orderId) {
      const found = await connectors.events(shop, orderId === undefined ? '' : `orderId=${orderId}`);
      return found.map(({ status, reason }: { status: string; reason: string }) => `${status} ${reason}`);
    },
  };
  return connectors;
}

let names = 0;

/** Returns a fixture as a live event. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of providers have any shape
function asLive(body: any): unknown {
  const live = structuredClone(body);
  if ('livemode' in live) live.livemode = true;
  if ('test' in live) live.test = false;
  for (const event of live.events ?? []) event.live = true;
  if (live.order?.mode !== undefined) live.order.mode = 'default';
  for (const transaction of [live.transaction, live.billing?.transaction])
    if (transaction !== undefined) delete transaction.dry_run;
  return live;
}

/** Returns the actions in the audit log about a target, the newest first. */
export async function listActions({ owner }: Connectors, target: string): Promise<string[]> {
  const { body } = await owner()('GET', `/audit?target=${encodeURIComponent(target)}`);
  return body.rows.map(({ action }: { action: string }) => action);
}
