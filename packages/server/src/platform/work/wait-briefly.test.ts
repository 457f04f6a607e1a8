import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { leftMs, withBudget } from '../database/connections/request-budget.ts';
import { waitBriefly } from './wait-briefly.ts';

it('leaves time to read the result after a wait that used up the time of the request', async () => {
  const now = performance.now();
  const budget = { tenant: 'aurora', endsAtMs: now + 20, stepMs: 1_000, lastMs: now + 30_000 };
  const left = await withBudget(budget, async () => {
    await expect(waitBriefly(sleep(60, 'done'), () => undefined)).resolves.toBe('done');
    return leftMs();
  });
  expect(left).toBeGreaterThan(500);
});

it('leaves time to answer after work that failed', async () => {
  const now = performance.now();
  const budget = { tenant: 'aurora', endsAtMs: now + 20, stepMs: 1_000, lastMs: now + 30_000 };
  const left = await withBudget(budget, async () => {
    const failing = sleep(60).then(() => Promise.reject(new Error('the disk is full')));
    await expect(waitBriefly(failing, () => undefined)).rejects.toThrow('the disk is full');
    return leftMs();
  });
  expect(left).toBeGreaterThan(500);
});
