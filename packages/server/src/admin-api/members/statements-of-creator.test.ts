import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { monthsOf } from '../../../test/months.ts';
import { usePortal } from '../../../test/portal.ts';

const portal = await usePortal();
const { service, db, makeGroup, earn, settle } = portal;
const months = monthsOf(db);

const [own, other] = ['acc_staff_A', 'acc_staff_B'];
let month = '';
let statementId = '';
let ask: Awaited<ReturnType<typeof asEveryRole>>;
let third: Asking;
beforeAll(async () => {
  ask = await asEveryRole(service()); // a sandbox has no tokens of its own
  await service().provision(
    '{ publisher: { id: third, name: Third }, groups: [ { id: main, revShare: 10 } ] }',
  );
  third = await asRole(service(), 'owner', 'third');
  await makeGroup('staff');
  await earn('staff', 'A', 1_234);
  await earn('staff', 'B', 50);
  await settle();
  month = await months.close();
  await earn('staff', 'A', 6);
  await settle();
  await months.close();
  const { body } = await ask.finance('GET', `/members/${own}/statements`);
  statementId = body.rows[1].statementId;
});

const file = (name: string, member = own, id = statementId): string =>
  `/members/${member}/statements/${id}/statement.${name}`;

describe('staff', () => {
  test('list the statements that the creator sees in the portal, the latest month first', async () => {
    const creator = await portal.creator('statements@example.com', own);
    const { body: seen } = await creator.get('/statements?publisher=aurora');
    for (const [role, asking] of Object.entries(ask)) {
      const { status, body } = await asking('GET', `/members/${own}/statements`);
      expect([role, status, body]).toEqual([role, 200, seen]);
    }
    expect(seen.rows).toMatchObject([
      { openingMinor: '1234', earnedMinor: '6', closingMinor: '1240' },
      { month, groupId: 'staff', currency: 'USD', openingMinor: '0', closingMinor: '1234' },
    ]);
    expect((await ask.support('GET', `/members/${own}/statements?group=staff`)).body).toEqual(seen);
    expect((await ask.support('GET', `/members/${own}/statements?group=elsewhere`)).body.rows).toEqual([]);
  });

  test('download the files that the creator downloads, and each download is in the audit log', async () => {
    const creator = await portal.creator('files@example.com', other);
    const [statement] = (await creator.get('/statements?publisher=aurora')).body.rows;
    for (const name of ['csv', 'pdf']) {
      const { text } = await creator.get(
        `/statements/${statement.statementId}/statement.${name}?publisher=aurora`,
      );
      const entries = await entriesOf(db(), async () => {
        const answer = await ask.finance('GET', file(name, other, statement.statementId));
        expect([answer.status, answer.text === text]).toEqual([200, true]);
        expect(answer.headers.get('content-disposition')).toBe(
          `attachment; filename="statement-aurora-staff-${month}-USD.${name}"`,
        );
        expect(answer.headers.get('cache-control')).toBe('no-store');
      });
      expect(entries).toMatchObject([
        {
          action: 'statement.export',
          target: `member:${other}`,
          after: { statementId: statement.statementId, month, groupId: 'staff', currency: 'USD', file: name },
        },
      ]);
    }
  });

  test('need the permission to export, and find only statements of the creator and the publisher', async () => {
    const entries = await entriesOf(db(), async () => {
      for (const name of ['csv', 'pdf']) {
        for (const role of ['support', 'developer', 'viewer'] as const)
          expect([role, (await ask[role]('GET', file(name))).status]).toEqual([role, 403]);
        for (const path of [file(name, other), file(name, 'acc_nobody'), file(name, own, 'not-an-id')])
          expect(await ask.owner('GET', path)).toMatchObject({ status: 404, body: { code: 'NotFound' } });
        expect((await third('GET', file(name))).status).toBe(404);
        expect((await third('GET', `/admin/v1/publishers/aurora${file(name)}`)).status).toBe(404);
      }
    });
    expect(entries).toEqual([]);
    expect((await third('GET', `/members/${own}/statements`)).body).toEqual({ rows: [], areMore: false });
    expect((await third('GET', `/admin/v1/publishers/aurora/members/${own}/statements`)).status).toBe(404);
  });
});
