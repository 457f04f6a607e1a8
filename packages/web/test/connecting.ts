import { expect, onTestFinished } from 'vitest';
import { webhookProviderOf } from '../../server/src/connectors/providers/all-providers.ts';
import type { ConnectorSettings } from '../../server/src/connectors/settings.ts';
import { wakeMissingCodes } from '../../server/src/connectors/work/wake-missing-codes.ts';
import { workEvents } from '../../server/src/connectors/work/work-events.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { asRole } from '../../server/test/admin.ts';
import { composeTestService } from '../../server/test/compose-test-service.ts';
import type { Dashboard } from './browser.ts';

export const shopSecret = 'whsec_0123456789abcdef';

export interface AddedConnector {
  connectorId: string;
  /** Path of its page. */
  path: string;
  provider: string;
}

/** Connectors of aurora for journeys, and requests of their providers. */
export interface Connecting {
  add(provider: string, name: string, settings?: ConnectorSettings): Promise<AddedConnector>;
  /** Reads a connector through the admin API. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of any shape
  read(connector: AddedConnector): Promise<any>;
  /** Sends a body as the provider does, signed with the present settings. @returns the status */
  send(connector: AddedConnector, body: unknown): Promise<number>;
  /** Works on all due events of connectors until the test ends. */
  work(): void;
  /** Makes orders due whose code was approved since. The service does so once a minute. */
  wakeCodes(): Promise<number>;
}

export function connectingOf({ service }: Pick<Dashboard, 'service'>): Connecting {
  const ask = async (method: string, path: string, json?: unknown) => {
    const { status, body } = await (await asRole(service(), 'owner'))(method, path, json);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const compose = () => {
    const { database } = service().testDatabase;
    const composed = composeTestService(database, { clock: systemClock });
    return { composed, deps: composed.eventDeps(database.db) };
  };
  const read: Connecting['read'] = ({ connectorId }) => ask('GET', `/connectors/${connectorId}`);
  return {
    async add(provider, name, settings = {}) {
      // A test that failed may have added it before.
      for (const each of (await ask('GET', '/connectors')).rows)
        if (each.name === name) await ask('DELETE', `/connectors/${each.connectorId}`);
      const json = { name, provider, settings, secret: shopSecret };
      const { connectorId } = await ask('POST', '/connectors', json);
      return { connectorId, provider, path: `/p/aurora/connectors/${connectorId}` };
    },
    read,
    async send(connector, body) {
      const { settings, path } = await read(connector);
      const bytes = Buffer.from(JSON.stringify(body));
      const signature = webhookProviderOf(connector.provider)?.sign(bytes, shopSecret, new Date(), settings);
      const headers = { 'content-type': 'application/json', ...signature };
      const { status } = await fetch(service().url + path, { method: 'POST', headers, body: bytes });
      return status;
    },
    work() {
      const { composed, deps } = compose();
      let isOver = false;
      const loop = (async () => {
        while (!isOver) {
          await workEvents(deps, 'aurora');
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      })();
      onTestFinished(async () => {
        isOver = true;
        await loop;
        await composed.stop();
      });
    },
    async wakeCodes() {
      const { composed, deps } = compose();
      const woken = await wakeMissingCodes(deps);
      await composed.stop();
      return woken;
    },
  };
}

/** Paid order in the format for one's own shop. */
export const ownOrder = (orderId: string, changes: Record<string, unknown> = {}) => ({
  ...{ id: `paid-${orderId}`, type: 'order.paid', time: new Date().toISOString() },
  order: { id: orderId, creatorCode: 'ALICE', subtotal: 500, total: 600, currency: 'USD', ...changes },
});
