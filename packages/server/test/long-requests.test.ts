import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { asRole } from './admin.ts';
import { purchase } from './fixtures.ts';
import { useManagement } from './management.ts';

const requestMs = 6_000;
const { service, record, patch, provisionGroup } = useManagement({ database: { requestMs } });

const rows = 28;
const applicants = 150; // in three commits, each of which takes about a third of the time

/** Makes each reversal and each approval so slow that the request containing them exceeds its time limit. */
beforeAll(async () => {
  const owner = new pg.Client(service().testDatabase.ownerConnection);
  await owner.connect();
  await owner.query(`
    create function take_long() returns trigger language plpgsql as
      'begin perform pg_sleep(tg_argv[0]::float8); return new; end';
    create trigger slow before insert on refund_record for each row execute function take_long('${(1.15 * requestMs) / 1_000 / rows}');
    create trigger slow before update of status on membership for each row
      execute function take_long('${(1.15 * requestMs) / 1_000 / applicants}')`);
  await owner.end();
});

test('a request with many commits may exceed the time limit if none of the commits does', async () => {
  const owner = await asRole(service(), 'owner');
  const { transactionId } = purchase();
  await record(Array.from({ length: rows }, () => purchase({ transactionId })));
  const ids = Array.from({ length: applicants }, (_, index) => `slow_${index}`);
  await provisionGroup(
    'patient',
    `revShare: 10, members: [ ${ids.map((id) => `{ id: ${id}, status: Pending }`).join(', ')} ]`,
  );
  const members = ids.map((memberId) => ({ memberId, groupId: 'patient' }));
  const startedAt = performance.now();
  const [reversed, approved] = await Promise.all([
    patch(transactionId, { json: { action: 'Refund' } }),
    owner('POST', '/members/bulk/approve', { members }),
  ]);
  expect(performance.now() - startedAt).toBeGreaterThan(requestMs);
  expect(reversed.status).toBe(200);
  const statuses: string[] = reversed.body.map(
    (each: { transaction: { status: string } }) => each.transaction.status,
  );
  expect(statuses).toEqual(Array.from({ length: rows }, () => 'Refund'));
  expect(approved.status).toBe(200);
  expect(
    approved.body.outcomes.filter(({ outcome }: { outcome: string }) => outcome === 'done'),
  ).toHaveLength(applicants);
});
