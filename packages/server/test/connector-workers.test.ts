import { expect, test } from 'vitest';
import { systemClock } from '../src/platform/clock.ts';
import { startWorkers } from '../src/worker.ts';
import { until } from './attribution-process.ts';
import { composeTestService } from './compose-test-service.ts';
import { useConnectors } from './connectors.ts';

const { shop, deliver, outcomes, service, balance, makeGroup } = useConnectors(systemClock);

test("the service's own workers record, refund and post what arrives, without a request that wakes them", async () => {
  await makeGroup('woken');
  const composed = composeTestService(service().testDatabase.database);
  const workers = startWorkers(composed, false);
  try {
    const stripe = await shop('stripe', { groupId: 'woken' });
    for (const fixture of ['refund_part', 'order_paid'])
      expect(await deliver(stripe, fixture, { orderId: 'pi_workers', code: 'M-A' })).toBe(200);
    await until('the events are done and posted', async () => {
      const found = await outcomes(stripe);
      return found.join() === 'Done Refunded,Done Recorded' && (await balance('A', 'USD', 'woken')) === 50n;
    });
  } finally {
    await workers.stop();
    await composed.stop();
  }
});
