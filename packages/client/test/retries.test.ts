import { describe, expect, test } from 'vitest';
import { Attribution, type EndedRequest } from '../src/index.ts';
import { delayAfter } from '../src/retry-rules.ts';
import type { Fault } from '../src/testing.ts';
import { calls, purchaseOf } from './calls.ts';
import cases from './cases.json' with { type: 'json' };
import { startProxy } from './faulty-proxy.ts';
import { type Target, useTargets } from './targets.ts';

/** A call of cases.json. */
interface Case {
  name: string;
  operation: string;
  faults: Fault[];
  tryTimeoutMs?: number;
  /** Number of requests that are sent. */
  tries: number;
  /** Minimum time that the call takes. */
  minMs?: number;
  result?: object;
  error?: object;
}

test.each(cases.delays)('pauses as cases.json says: %o', ({ attempt, status, retryAfter, ...delay }) => {
  const now = () => Date.parse('2026-01-01T00:00:00Z');
  const delayOf = (random: number) => delayAfter({ attempt, status, retryAfter }, random, now);
  const range = [delayOf(0), delayOf(1)].toSorted((a, b) => Number(a) - Number(b));
  expect(range).toEqual('stops' in delay ? [null, null] : [delay.minMs, delay.maxMs]);
});

describe.each(useTargets())('%s', (_, start) => {
  const using = async (body: (target: Target) => Promise<void>) => {
    const target = await start();
    await body(target).finally(() => target.close());
  };

  test.concurrent.each(cases.calls as Case[])('$operation: $name', (each) =>
    using(async (target) => {
      target.next(...each.faults);
      const { tryTimeoutMs } = each;
      const client = target.client(tryTimeoutMs === undefined ? {} : { tryTimeoutMs });
      const id = `case ${each.name} ${crypto.randomUUID()}`;
      const startedMs = performance.now();
      const ended = await calls[each.operation]?.(client, {}, id).then(
        (result) => ({ result, error: undefined }),
        (error: unknown) => ({ result: undefined, error }),
      );
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(each.minMs ?? 0);
      expect(target.requests()).toBe(each.tries);
      if (each.error) expect(ended?.error).toMatchObject({ ...each.error, tries: each.tries });
      else expect(ended).toMatchObject({ result: each.result, error: undefined });
      if (each.operation !== 'createTransactions' || each.error) return;
      expect(await client.transactions.get(id)).toHaveLength(1);
    }),
  );

  test.concurrent('an aborted call ends at once, also during a pause', () =>
    using(async (target) => {
      const client = target.client();
      const reason = new Error('the player left');
      target.next({ status: 503, retryAfter: '30' }, 'slow');
      for (let round = 0; round < 2; round += 1) {
        const ending = new AbortController();
        const call = client.transactions.record(purchaseOf(`aborted ${round}`), { signal: ending.signal });
        setTimeout(() => ending.abort(reason), 300);
        await expect(call).rejects.toBe(reason);
      }
      await expect(client.ping({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(target.requests()).toBe(2);
    }));

  test.concurrent('a call ends at its time limit', () =>
    using(async (target) => {
      target.next('slow', 'slow');
      const startedMs = performance.now();
      await expect(target.client().ping({ timeoutMs: 400 })).rejects.toMatchObject({
        name: 'TimedOut',
        tries: 1,
      });
      expect(performance.now() - startedMs).toBeLessThan(3_000);
    }));

  test.concurrent('hooks see every attempt, and never the key', () =>
    using(async (target) => {
      const seen: EndedRequest[] = [];
      const client = target.client({ onResponse: (ended) => void seen.push(ended) });
      target.next({ status: 503, retryAfter: '0' }, 'refused');
      await client.members.get('ALICE', { groupId: 'main' });
      expect(seen.map(({ attempt, status }) => [attempt, status])).toEqual([
        [1, 503],
        [2, null],
        [3, 200],
      ]);
      expect(new Set(seen.map(({ requestId }) => requestId)).size).toBe(3);
      expect(JSON.stringify(seen)).not.toContain('svc_sk_');
    }));
});

test('each operation is retried as cases.json says', async () => {
  const tries = await Promise.all(
    Object.entries(calls).map(async ([operation, call]) => {
      const proxy = await startProxy('http://127.0.0.1:9');
      proxy.next('refused', { status: 400, body: {} });
      const client = new Attribution({ baseUrl: proxy.url, key: 'svc_sk_x' });
      await call(client, {}, 'id').catch(() => undefined);
      await proxy.close();
      return [operation, proxy.requests() === 2];
    }),
  );
  expect(Object.fromEntries(tries)).toEqual(cases.isRepeatable);
});
