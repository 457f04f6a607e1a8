import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../test/attribution-process.ts';
import { path, useStreamAlerts } from '../../test/stream-alerts.ts';
import type { Answer } from '../../test/test-service.ts';
import { hashSecret } from '../portal/stream-alert/alerts.ts';

const {
  portal,
  clock,
  ask,
  secretOf,
  another,
  streamer,
  opened,
  sale,
  record,
  productsOf,
  addAlerts,
  removeAlerts,
  isBusy,
  askAll,
  statusesOf,
} = await useStreamAlerts();
const { service, query } = portal;

describe('the bounds', () => {
  test('three requests may wait with one secret, and a client that leaves makes room', async () => {
    const { from, code, secret } = await streamer();
    const cursor = await opened(secret);
    const first = askAll(Array(4).fill(secret), cursor);
    await until('the rejection', () => first.rejections.length > 0);
    expect(first.rejections[0]?.body).toMatchObject({
      code: 'RateLimited',
      message: 'This stream alert is already open 3 times. Close one of them.',
    });
    const next = await secretOf(from);
    await first.done;
    expect(statusesOf(first.rejections)).toEqual([401, 401, 401, 429]);

    const after = await opened(next);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${next}` };
    const { promise: isFull, resolve } = Promise.withResolvers<void>();
    const gone = [1, 2, 3, 4].map(async () => {
      const url = `${service().url}${path}?after=${after}`;
      const answer = await fetch(url, { headers, signal: leaving.signal }).catch(() => null);
      if (answer?.status === 429) resolve();
      return answer?.status ?? 0;
    });
    await isFull;
    leaving.abort();
    expect((await Promise.all(gone)).toSorted()).toEqual([0, 0, 0, 429]);
    const patiently = async (): Promise<Answer> => {
      for (;;) {
        const answer = await ask(next, after);
        if (answer.status !== 429) return answer;
        await sleep(200);
      }
    };
    const three = [patiently(), patiently(), patiently()];
    await record(sale(code, { description: 'For all' }));
    for (const answer of await Promise.all(three)) expect(productsOf(answer)).toEqual(['For all']);
  });

  test('500 may wait for one publisher, and 600 in one process', async () => {
    const cursor = `${clock.now().getTime().toString(36)}`;
    const [one, two] = await Promise.all([addAlerts('full-1', 501), addAlerts('full-2', 101)]);
    const first = askAll(one, cursor);
    await until('the first rejection', () => first.rejections.length > 0);
    expect(first.rejections[0]?.body).toMatchObject({
      code: 'RateLimited',
      message: 'Too many stream alerts of this publisher are open. Try again in a few seconds.',
    });
    const rest = askAll(two, cursor);
    // If a request ends while the others are still coming in, it may be the one that is rejected.
    await until('the next rejection', () => first.rejections.length + rest.rejections.length > 1);
    expect((first.rejections[1] ?? rest.rejections[0])?.body).toMatchObject({
      code: 'Unavailable',
      message: 'Too many stream alerts are connected. Try again in a few seconds.',
    });
    await removeAlerts([...one, ...two]);
    await Promise.all([first.done, rest.done]);
    expect(statusesOf([...first.rejections, ...rest.rejections])).toEqual([
      ...Array(600).fill(401),
      429,
      503,
    ]);
  });

  test('all overlays of a publisher share one read in each round', async () => {
    const secrets = await addAlerts('aurora', 40);
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => statements.mockRestore());
    const reads = (): number =>
      statements.mock.calls.filter(([asked]: unknown[]) =>
        (typeof asked === 'string' ? asked : (asked as { text: string }).text).includes(
          'partition by membership_id',
        ),
      ).length;
    const startedMs = performance.now();
    const { rejections, done } = askAll(secrets, clock.now().getTime().toString(36));
    await until('several rounds', () => reads() >= 4);
    const elapsedMs = performance.now() - startedMs;
    expect(reads()).toBeLessThanOrEqual(elapsedMs / 1_000 + 2);
    await removeAlerts(secrets);
    await done;
    expect(new Set(statusesOf(rejections))).toEqual(new Set([401]));
  });

  test('requests that repeat without waiting are limited', async () => {
    const { secret } = await streamer();
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const { statusCode, body } = await service().app.inject({
          url: path,
          headers: { authorization: `Bearer ${secret}` },
        });
        return isBusy(statusCode, body) ? 'busy' : statusCode;
      }),
    );
    expect(new Set(statuses.filter((status) => status !== 'busy'))).toEqual(new Set([200, 429]));
  });

  test('a service that stops ends the waiting requests at once', async () => {
    const { secret } = await streamer();
    const stopping = await another();
    const cursor = await opened(secret);
    const own = sql`secret_hash = ${hashSecret(secret)}`;
    const seen = () => query(sql`select 1 from stream_alert where ${own} and seen_at is not null`);
    await query(sql`update stream_alert set seen_at = null where ${own}`);
    const waiting = ask(secret, cursor, stopping);
    await until('the request', async () => (await seen()).length === 1);
    const startedMs = performance.now();
    const closed = stopping.close();
    expect((await waiting).body).toMatchObject({ purchases: [], more: 0 });
    await closed;
    expect(performance.now() - startedMs, 'without the 20 seconds of the request').toBeLessThan(12_000);
  });
});
