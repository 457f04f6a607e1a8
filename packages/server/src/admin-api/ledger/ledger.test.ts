import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { writtenEntries } from '../../../test/audit.ts';
import { useMoney } from '../../../test/money.ts';
import { publishersToVerify, runVerification } from '../../settlement/verify/jobs/run-verification.ts';

const money = useMoney();
const { service, makeGroup, earn, settle, query } = money;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});

const entriesAbout = async (target: string) =>
  (await writtenEntries(money.db())).filter((entry) => entry.target === target);
const url = '/ledger/verifications';
const neverStopping = new AbortController().signal;
const work = (stopping = neverStopping) => runVerification(money.db(), 'aurora', stopping);
const start = async (body = {}) => (await finance('POST', url, body)).body.verification;
const read = async (id: string) => (await finance('GET', `${url}/${id}`)).body;

describe('the ledger', () => {
  test('adds up to zero in each currency, from purchase to payout and clawback', async () => {
    await makeGroup('zero');
    const differences = async () => {
      const { body } = await finance('GET', '/ledger');
      return body.zeroSums.map(({ currency, differenceMinor }: Record<string, string>) => [
        currency,
        differenceMinor,
      ]);
    };
    const { id } = await earn('zero', 'A', 500);
    const refunded = await earn('zero', 'A', 60, { currency: 'EUR' });
    expect((await finance('GET', '/ledger')).body.unposted).toMatchObject({ rowCount: 2, isAtLeast: false });
    await settle();
    await money.patch(refunded.transactionId, { form: { action: 'Refund' } });
    expect(await differences()).toEqual([
      ['EUR', '0'],
      ['USD', '0'],
    ]);
    const [payout] = await money.create('zero');
    expect(await differences()).toContainEqual(['USD', '0']);
    const before = (await finance('GET', '/ledger')).body;
    expect(before.zeroSums).toContainEqual(
      expect.objectContaining({ currency: 'USD', paidMinor: '500', toBePaidMinor: '500', owedMinor: '0' }),
    );
    await money.markPaid(payout?.batchId ?? '');
    await money.clawBack(id, 'Chargeback');
    const { body } = await finance('GET', '/ledger');
    expect(body.zeroSums).toContainEqual({
      currency: 'USD',
      earnedMinor: '500',
      reversedMinor: '500',
      bountiesMinor: '0',
      paidMinor: '500',
      toBePaidMinor: '0',
      owedMinor: '-500',
      differenceMinor: '0',
    });
    expect(body.unposted).toEqual({ rowCount: 0, isAtLeast: false, oldestAt: null });
  });

  test('shows totals that do not add up', async () => {
    await query(
      sql`update group_rollup set share_minor = share_minor + 1 where publisher_id = 'aurora' and currency = 'EUR'`,
    );
    const { body } = await finance('GET', '/ledger');
    expect(body.zeroSums).toMatchObject([{ differenceMinor: '1' }, { differenceMinor: '0' }]);
    await query(
      sql`update group_rollup set share_minor = share_minor - 1 where publisher_id = 'aurora' and currency = 'EUR'`,
    );
  });

  test('is readable by every role, and only owners, managers and finance can verify it', async () => {
    const rival = await asRole(service(), 'owner', 'rival');
    expect(await rival('GET', '/admin/v1/publishers/aurora/ledger')).toMatchObject({ status: 404 });
    for (const [role, ask] of Object.entries(await asEveryRole(service()))) {
      expect((await ask('GET', '/ledger')).status).toBe(200);
      expect((await ask('GET', url)).status).toBe(200);
      const isAllowed = ['owner', 'manager', 'finance'].includes(role);
      expect((await ask('POST', url, {})).status).toBe(isAllowed ? 202 : 403);
    }
    await work();
  });
});

describe('a verification', () => {
  afterEach(async () => {
    while ((await work()) > 0);
  });

  test('runs in a worker, one at a time, and stores what it has checked', async () => {
    const first = await finance('POST', url, { all: true });
    expect(first).toMatchObject({ status: 202, body: { isNew: true, verification: { status: 'Waiting' } } });
    const { verificationId } = first.body.verification;
    const second = await finance('POST', url, {});
    expect(second.body).toMatchObject({ isNew: false, verification: { verificationId, looksAtAll: true } });
    expect(await publishersToVerify(money.db())).toEqual(['aurora']);
    expect(await work()).toBe(1);
    expect(await work()).toBe(0);
    const done = await read(verificationId);
    expect(done).toMatchObject({ status: 'Sound', finding: null, failure: null });
    expect(done.looked.rows).toBeGreaterThan(0);
    expect((await finance('GET', '/ledger')).body.proven.allAt).not.toBeNull();
    expect((await finance('GET', url)).body.rows[0]).toEqual(done);
    const entries = await entriesAbout(`ledger-verification:${verificationId}`);
    expect(entries).toMatchObject([{ action: 'ledger.verify', after: { looksAtAll: true } }]);
  });

  test('stores the first row or total that does not match', async () => {
    const broken = sql`update member_balance set balance_minor = balance_minor + 1 where publisher_id = 'aurora' and currency = 'USD'`;
    await query(broken);
    const { verificationId } = await start();
    await work();
    expect(await read(verificationId)).toMatchObject({
      status: 'NotExplained',
      finding: { rule: 'a balance is the sum of its ledger entries' },
    });
    expect((await finance('GET', '/ledger')).body.proven).toBeNull();
    await query(
      sql`update member_balance set balance_minor = balance_minor - 1 where publisher_id = 'aurora' and currency = 'USD'`,
    );
  });

  test('is taken over when its process crashes, and fails after three attempts', async () => {
    const { verificationId } = await start();
    const crash = () =>
      query(sql`
        update ledger_verification
        set status = 'Running', run_id = gen_random_uuid(), worked_until = now() - interval '1 second', attempts = attempts + 1
        where publisher_id = 'aurora' and verification_id = ${verificationId}`);
    await crash();
    await crash();
    expect(await publishersToVerify(money.db())).toEqual(['aurora']);
    await work();
    expect(await read(verificationId)).toMatchObject({ status: 'Sound' });
    const { verificationId: next } = await start();
    await query(sql`
      update ledger_verification
      set status = 'Running', run_id = gen_random_uuid(), worked_until = now() - interval '1 second', attempts = 3
      where publisher_id = 'aurora' and verification_id = ${next}`);
    await work();
    expect(await read(next)).toMatchObject({ status: 'Failed', failure: expect.stringContaining('3 times') });
  });

  test('waits for the next process when its own process stops', async () => {
    const { verificationId } = await start({ all: true });
    await work(AbortSignal.abort());
    expect(await read(verificationId)).toMatchObject({ status: 'Waiting' });
    await work();
    expect(await read(verificationId)).toMatchObject({ status: 'Sound' });
  });

  test('is deleted when there are a hundred newer verifications', async () => {
    await query(sql`
      insert into ledger_verification (publisher_id, verification_id, looks_at_all, status, requested_at, requested_by_kind,
                                       requested_by_id, requested_by_name, ended_at, failure)
      select 'aurora', ('01000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, false, 'Failed', now(), 'command', 'a', 'a',
             now(), 'x'
      from generate_series(1, 300) n`);
    await start();
    const [row] = await query(sql<{ n: bigint }>`select count(*) as n from ledger_verification`);
    expect(row).toEqual({ n: 100n });
  });

  test('is not found by another publisher', async () => {
    const { verificationId } = await start();
    const rival = await asRole(service(), 'owner', 'rival');
    expect(await rival('GET', `${url}/${verificationId}`)).toMatchObject({ status: 404 });
    expect(await finance('GET', `${url}/x`)).toMatchObject({ status: 404 });
  });
});
