import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceActor } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { applyProgramFile, type IssuedKey } from '../../program-file/apply-program.ts';
import { readProgramFile } from '../../program-file/read-program.ts';
import { isAnyPublisher } from '../../publishers/require-publisher.ts';
import { createPayout } from '../../settlement/payouts/create/create-payout.ts';
import { applierOf } from '../provision.ts';

export interface Demo {
  keys: IssuedKey[];
  /** Whether it was made by this start. */
  isNew: boolean;
}

const programFile = new URL('../../../../../examples/demo-program.yaml', import.meta.url);
const publisherId = 'aurora';
const path = '/v1/attributions/transactions';

/**
 * Gives an empty embedded database the demo program. Its keys are made at random and kept in a file that
 * only this user can read, so that every later start can show them again.
 * @returns null where the database holds something else
 */
export async function openDemo(dataDir: string, db: Db): Promise<Demo | null> {
  const keysFile = join(dataDir, 'demo-keys.json');
  if (!(await isAnyPublisher(db))) {
    const program = readProgramFile(readFileSync(programFile, 'utf8'), 'examples/demo-program.yaml');
    const { keys } = await applyProgramFile(db, applierOf(program.name, 'serve'), program);
    writeFileSync(keysFile, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    return { keys, isNew: true };
  }
  return existsSync(keysFile) ? { keys: JSON.parse(readFileSync(keysFile, 'utf8')), isNew: false } : null;
}

/** How long ago a purchase was, and what else is sent of it. */
interface MoreOfPurchase {
  days: number;
  skuId?: string;
  status?: 'Test';
}

/**
 * A little history, made by the operations themselves: a split purchase, a refunded one, a SKU, a Test, one
 * still held, and a payout of the rest.
 */
export async function playDemo(app: App, service: Service, { keys }: Demo): Promise<void> {
  const { db } = service.database;
  const now = service.clock.now();
  const key = keys.find(({ name }) => name === 'backend')?.key ?? '';
  const headers = { 'x-shared-secret': key };
  const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
  const purchase = (number: number, code: string, subtotal: number, { days, ...more }: MoreOfPurchase) => ({
    transactionId: `demo-order-${number}`,
    code,
    description: `Demo order ${number}`,
    subtotal,
    currency: 'USD',
    transactionDate: daysAgo(days),
    playerId: `buyer-${number}`,
    platform: 'PC',
    ...more,
  });
  for (const payload of [
    [purchase(1, 'ALICE', 49_999, { days: 60 })],
    [purchase(2, 'ALICE', 12_000, { days: 50 }), purchase(2, 'BOB', 12_000, { days: 50 })],
    [purchase(3, 'BOB', 99_900, { days: 45, skuId: 'battle-pass' })],
    [purchase(4, 'BOB', 5_999, { days: 40 })],
    [purchase(5, 'ALICE', 2_499, { days: 3 })],
    [purchase(6, 'ALICE', 100, { days: 3, status: 'Test' })],
  ]) {
    const { statusCode, body } = await app.inject({ method: 'POST', url: path, headers, payload });
    if (statusCode !== 200) throw new Error(`the demo could not record a purchase: ${body}`);
  }
  await app.inject({ method: 'PATCH', url: `${path}/demo-order-4`, headers, payload: { action: 'Refund' } });
  const { postRows, markPayoutPaid } = service.operations;
  while ((await postRows(db, publisherId)) > 0);
  for (const { batchId } of await createPayout(db, serviceActor, {
    publisherId,
    groupId: 'main',
    currency: 'USD',
    asOf: null,
  })) {
    await markPayoutPaid(db, serviceActor, { publisherId, payoutId: batchId });
  }
}
