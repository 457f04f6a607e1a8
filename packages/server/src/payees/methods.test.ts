import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import { entriesOf } from '../../test/audit.ts';
import { useMoney } from '../../test/money.ts';
import { secretsKey, testSealer } from '../../test/sealer.ts';
import { type SignedInPerson, signIn } from '../../test/staff.ts';
import { testActor } from '../../test/test-actor.ts';
import type { Answer } from '../../test/test-service.ts';
import type { PayeeMethodId } from '../platform/database/tables.generated.ts';
import { createSealer } from '../platform/secrets/sealer.ts';
import { deleteAccounts } from './delete-accounts.ts';
import { resealMethods } from './reseal-methods.ts';
import { revealMethod } from './reveal-method.ts';

const money = useMoney();
const { makeGroup, earn, settle, create, db, service } = money;

let ann: SignedInPerson;
let ben: SignedInPerson;
beforeAll(async () => {
  ann = await signIn(service(), 'finance', { name: 'Ann' });
  ben = await signIn(service(), 'owner', { name: 'Ben' });
});

const paypal = (email: string) => ({
  kind: 'paypal',
  holderName: 'Maria Ñandú',
  holderType: 'individual',
  country: 'ES',
  email,
});
const sepa = (iban: string, changes: object = {}) => ({
  kind: 'sepa',
  holderName: 'Maria Muster',
  holderType: 'individual',
  country: 'DE',
  iban,
  ...changes,
});
const iban = 'DE89 3704 0044 0532 0130 00';

const enter = (memberId: string, body: object, by = ann): Promise<Answer> =>
  by.ask('POST', `/members/${memberId}/payees`, body);
const approve = (methodId: string, acceptsShared = false, by = ben): Promise<Answer> =>
  by.ask('POST', `/payees/${methodId}/approve`, { acceptsShared });
const methodsOf = async (memberId: string): Promise<Record<string, unknown>[]> =>
  (await ann.ask('GET', `/members/${memberId}/payees`)).body.rows;

async function setWait(waitDays: number): Promise<void> {
  const { body } = await ben.ask('GET', '/payee-settings');
  expect(await ben.ask('PUT', '/payee-settings', { ...body, waitDays })).toMatchObject({ status: 200 });
}

/** Enters a method as one person, and approves it as another. @returns its id */
async function methodOf(memberId: string, body: object): Promise<string> {
  const { status, body: entered } = await enter(memberId, body);
  expect([status, entered]).toMatchObject([200, { state: 'Waiting' }]);
  expect(await approve(entered.methodId, true)).toMatchObject({ status: 200 });
  return entered.methodId;
}

describe('a payout method', () => {
  test('is entered by one person, approved by another, set in the payout, and in its PayPal file', async () => {
    await setWait(0);
    await makeGroup('walk');
    const methodId = await methodOf('acc_walk_A', paypal('Maria@example.com'));
    expect(await methodsOf('acc_walk_A')).toMatchObject([
      {
        methodId,
        state: 'Usable',
        hint: 'M…@example.com',
        enteredBy: { name: 'Ann' },
        approvedBy: { name: 'Ben' },
      },
    ]);
    await earn('walk', 'A', 10_050);
    await earn('walk', 'B', 200);
    await settle();
    const [batch] = await create('walk');
    const payoutId = batch?.batchId ?? '';
    const { body } = await ann.ask('GET', `/payouts/${payoutId}/files`);
    expect(body).toMatchObject({
      currency: 'USD',
      kinds: [
        {
          kind: 'paypal',
          lineCount: 1,
          sumMinor: '10050',
          problem: null,
          files: [{ part: 1, parts: 1, lineCount: 1 }],
        },
      ],
      leftOut: { lineCount: 1, sumMinor: '200', lines: [{ memberId: 'acc_walk_B', reason: 'NoMethod' }] },
    });
    const file = await ann.ask('GET', `/payouts/${payoutId}/files/paypal/1`);
    expect([file.status, file.body]).toEqual([200, undefined]);
    expect(file.text).toMatch(/^Maria@example\.com,100\.50,USD,\d{4}-00001,Payout \d{4},PAYPAL\r\n$/);
  });

  test('needs another person: the one who entered it gets 403, a token never may, and an old sign-in must be repeated', async () => {
    await makeGroup('four');
    const { body } = await enter('acc_four_A', paypal('four@example.com'));
    expect(await approve(body.methodId, false, ann)).toMatchObject({
      status: 403,
      body: { code: 'Forbidden' },
    });
    const old = await signIn(service(), 'finance', { confirmedMsAgo: 360_000 });
    expect(await approve(body.methodId, false, old)).toMatchObject({
      status: 403,
      body: { code: 'SignInAgain' },
    });
    const token = await asRole(service(), 'owner');
    for (const path of [`/payees/${body.methodId}/approve`, `/payees/${body.methodId}/reveal`])
      expect((await token('POST', path, { acceptsShared: true })).status, path).toBe(403);
    const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
    expect((await rival.ask('POST', `/payees/${body.methodId}/reveal`)).status).toBe(404);
    // The database enforces it, too.
    await expect(
      sql`
        update payee_method
        set approved_at = now(), usable_from = now(), approved_by_kind = entered_by_kind, approved_by_id = entered_by_id,
            approved_by_name = 'x'
        where publisher_id = 'aurora' and method_id = ${body.methodId}::uuid`.execute(db()),
    ).rejects.toThrow('payee_method');
    expect(await methodsOf('acc_four_A')).toMatchObject([{ state: 'Waiting', usableFrom: null }]);
    expect(await approve(body.methodId)).toMatchObject({ status: 200 });
    expect(await approve(body.methodId)).toMatchObject({ status: 409 });
  });

  test('waits for the publisher’s days, and the one that it replaces gets no money meanwhile (brave-intl/publishers#60)', async () => {
    await makeGroup('wait');
    await setWait(0);
    const old = await methodOf('acc_wait_A', paypal('old@example.com'));
    await setWait(7);
    const fresh = await methodOf('acc_wait_A', paypal('new@example.com'));
    const [second, first] = await methodsOf('acc_wait_A');
    expect([first, second]).toMatchObject([
      { methodId: old, state: 'Ended', endedReason: 'Replaced by a newer method' },
      { methodId: fresh, state: 'New' },
    ]);
    const days = (Date.parse(String(second?.usableFrom)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7);
    await earn('wait', 'A', 300);
    await settle();
    const [batch] = await create('wait');
    const { body } = await ann.ask('GET', `/payouts/${batch?.batchId}/files`);
    expect(body).toMatchObject({ kinds: [], leftOut: { lineCount: 1, sumMinor: '300' } });
    await setWait(0);
  });

  test('is never shown, except to a person who asks for it, which the audit log says', async () => {
    await makeGroup('secret');
    const entries = await entriesOf(db(), async () => {
      const methodId = await methodOf('acc_secret_A', sepa(iban, { bic: 'cobadeffxxx' }));
      const shown = await ben.ask('POST', `/payees/${methodId}/reveal`);
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect(shown.body).toEqual({
        kind: 'sepa',
        holderName: 'Maria Muster',
        holderType: 'individual',
        country: 'DE',
        email: null,
        iban: 'DE89370400440532013000',
        bic: 'COBADEFFXXX',
      });
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'payee-method.enter',
      'payee-method.approve',
      'payee-method.reveal',
    ]);
    for (const text of [entries, await methodsOf('acc_secret_A'), (await ann.ask('GET', '/payees')).body]) {
      expect(JSON.stringify(text)).toContain('DE… 3000');
      expect(JSON.stringify(text)).not.toMatch(/37040044|Muster/);
    }
    const { rows } = await sql<{ row: string }>`
      select p::text as row from payee_method p where publisher_id = 'aurora' and account_id = 'acc_secret_A'`.execute(
      db(),
    );
    expect(JSON.stringify(rows)).not.toMatch(/37040044|Muster/);
  });

  test('copied to another creator’s row can’t be opened', async () => {
    await makeGroup('copy');
    const mine = await methodOf('acc_copy_A', paypal('mine@example.com'));
    const other = await methodOf('acc_copy_B', paypal('other@example.com'));
    const { sealed } = await db()
      .selectFrom('payee_method')
      .select('sealed')
      .where('method_id', '=', other as PayeeMethodId)
      .executeTakeFirstOrThrow();
    await sql`
      update payee_method
      set sealed = (select sealed from payee_method where publisher_id = 'aurora' and method_id = ${mine}::uuid)
      where publisher_id = 'aurora' and method_id = ${other}::uuid`.execute(db());
    await expect(
      revealMethod(db(), testSealer, testActor, { publisherId: 'aurora', methodId: other }),
    ).rejects.toThrow('altered');
    await sql`update payee_method set sealed = ${sealed} where publisher_id = 'aurora' and method_id = ${other}::uuid`.execute(
      db(),
    );
  });

  test('is flagged when another creator has the same account, also when only the account changes (dub#3973, dub#3449)', async () => {
    await makeGroup('shared');
    await methodOf('acc_shared_A', sepa('FR14 2004 1010 0505 0001 3M02 606', { country: 'FR' }));
    await methodOf('acc_shared_B', sepa('NL91 ABNA 0417 1643 00', { country: 'NL' }));
    expect(await methodsOf('acc_shared_B')).toMatchObject([{ sharedWith: [] }]);
    const { body } = await enter('acc_shared_B', sepa('fr1420041010050500013m02606', { country: 'FR' }));
    expect(body.sharedWith).toEqual([{ memberId: 'acc_shared_A', name: 'A' }]);
    expect(await approve(body.methodId)).toMatchObject({
      status: 409,
      body: { code: 'Conflict', message: expect.stringContaining('acc_shared_A') },
    });
    expect(await approve(body.methodId, true)).toMatchObject({ status: 200 });
    expect((await methodsOf('acc_shared_A'))[0]).toMatchObject({
      sharedWith: [{ memberId: 'acc_shared_B' }],
    });
  });

  test.each([
    [sepa('DE89 3704 0044 0532 0130 01'), 'not a valid IBAN'],
    [sepa(''), 'must not be empty'],
    [sepa('BR15 0000 0000 0000 1093 2840 814P 2', { country: 'BR' }), 'SEPA'],
    [sepa(iban, { holderName: 'Дмитрий Иванов' }), 'Latin'],
    [sepa(iban, { holderName: '山田太郎' }), 'Latin'],
    [sepa(iban, { holderName: 'Zoë' }), 'Latin'],
    [sepa(iban, { holderName: 'a'.repeat(71) }), '70 characters'],
    [sepa(iban, { holderName: '=cmd()' }), 'start with a letter'],
    [sepa(iban, { holderName: 'a//b' }), 'slash'],
    [sepa(iban, { bic: 'NOPE' }), 'BIC'],
    [sepa(iban, { email: 'a@example.com' }), 'no email'],
    [sepa(iban, { country: 'XX' }), 'country'],
    [paypal('=cmd()@example.com'), 'email address'],
    [paypal('+1@example.com'), 'email address'],
    [paypal('a,b@example.com'), 'email address'],
    [paypal('a@localhost'), 'email address'],
    [{ ...paypal('a@example.com'), iban }, 'IBAN'],
    [{ ...paypal('a@example.com'), holderName: 'a\u0000b' }, 'U+0000'],
    [{ ...paypal('a@example.com'), holderName: 'a\nb"' }, 'start with a letter'],
    [{ ...paypal('a@example.com'), kind: 'ach' }, ''],
  ])('%j is rejected with a message that says what to do, and nothing is saved', async (body, message) => {
    await makeGroup('wrong');
    const answer = await enter('acc_wrong_A', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    expect(answer.body.message).toContain(message);
    expect(await methodsOf('acc_wrong_A')).toEqual([]);
  });

  test('waits alone: of two people at once, one gets 409', async () => {
    await makeGroup('race');
    const answers = await Promise.all([
      enter('acc_race_A', paypal('one@example.com')),
      enter('acc_race_A', paypal('two@example.com'), ben),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { methodId } = (await methodsOf('acc_race_A'))[0] as { methodId: string };
    const refused = await ann.ask('POST', `/payees/${methodId}/end`, { reason: 'Typing error' });
    expect(refused.body).toMatchObject({ state: 'Ended', endedReason: 'Typing error' });
    expect(await approve(methodId)).toMatchObject({ status: 409 });
    expect(await ann.ask('POST', `/payees/${methodId}/end`, { reason: 'again' })).toMatchObject({
      status: 409,
    });
    expect((await enter('acc_race_A', paypal('two@example.com'))).status).toBe(200);
  });

  test('is sealed again with a new key', async () => {
    const newKey = createSealer([Buffer.alloc(32, 9), Buffer.from(secretsKey, 'base64')]);
    const counts = await resealMethods(db(), newKey, testActor);
    expect(counts).toMatchObject({ lost: 0 });
    expect(counts.sealed).toBeGreaterThan(5);
    expect(await resealMethods(db(), newKey, testActor)).toEqual({ sealed: 0, lost: 0 });
    const [first] = (await ann.ask('GET', '/payees')).body.rows;
    const opened = await revealMethod(db(), newKey, testActor, {
      publisherId: 'aurora',
      methodId: first.methodId,
    });
    expect(opened.country).toHaveLength(2);
    expect(await resealMethods(db(), createSealer([Buffer.alloc(32, 8)]), testActor)).toMatchObject({
      sealed: 0,
    });
  });
});

describe('the account of an ended method', () => {
  const daysLater = (days: number): Date => new Date(Date.now() + days * 86_400_000);
  const deleteAt = (now: Date): Promise<number> => deleteAccounts(db(), now, new AbortController().signal);
  const isDeleted = async (memberId: string) =>
    (await methodsOf(memberId)).map(({ isAccountDeleted }) => isAccountDeleted);

  test('is deleted after 90 days, unless a payout that is not paid needs it, or was paid recently', async () => {
    await setWait(0);
    await deleteAt(daysLater(400)); // those of the tests above
    for (const id of ['gone', 'open', 'failed', 'current']) {
      await makeGroup(`del-${id}`, 'holdDays: 0,');
      const methodId = await methodOf(`acc_del-${id}_A`, paypal(`${id}@example.com`));
      await earn(`del-${id}`, 'A', 500);
      await settle();
      if (id === 'gone') await ann.ask('POST', `/payees/${methodId}/end`, { reason: 'over' });
    }
    const open = (await create('del-open'))[0];
    const failed = (await create('del-failed'))[0];
    const { reference } = await db()
      .selectFrom('payout_item')
      .select('reference')
      .where('publisher_id', '=', 'aurora')
      .where('batch_id', '=', failed?.batchId ?? ('' as never))
      .executeTakeFirstOrThrow();
    const set = await ann.ask('POST', `/payouts/${failed?.batchId}/results`, {
      results: [{ reference, result: 'Failed' }],
      isDryRun: false,
      owedAgainMinor: '500',
    });
    expect(set).toMatchObject({ status: 200 });
    for (const id of ['open', 'failed']) {
      const [method] = await methodsOf(`acc_del-${id}_A`);
      await ann.ask('POST', `/payees/${method?.methodId}/end`, { reason: 'over' });
    }
    expect(await deleteAt(daysLater(89))).toBe(0);
    expect(await deleteAt(daysLater(91))).toBe(2);
    expect(await deleteAt(daysLater(91)), 'twice').toBe(0);
    expect(await isDeleted('acc_del-gone_A')).toEqual([true]);
    expect(await isDeleted('acc_del-failed_A')).toEqual([true]);
    expect(await isDeleted('acc_del-open_A')).toEqual([false]);
    expect(await isDeleted('acc_del-current_A')).toEqual([false]);

    const file = `/payouts/${open?.batchId}/files/paypal/1`;
    expect((await ann.ask('GET', file)).text).toContain('open@example.com');
    const paid = await ben.ask('POST', `/payouts/${open?.batchId}/pay`, { totalMinor: '500' });
    expect(paid).toMatchObject({ status: 200 });
    await sql`
      update payee_method set ended_at = ended_at - interval '10 days'
      where publisher_id = 'aurora' and account_id = 'acc_del-open_A'`.execute(db());
    expect(await deleteAt(daysLater(89)), 'ended 99 days ago, but paid 89 days ago').toBe(0);
    expect(await deleteAt(daysLater(91))).toBe(1);
    expect(await ann.ask('GET', file)).toMatchObject({
      status: 409,
      body: { code: 'Conflict', message: expect.stringContaining('deleted accounts') },
    });
    expect((await ann.ask('GET', `/payouts/${open?.batchId}/files`)).status).toBe(200);
    const [method] = await methodsOf('acc_del-open_A');
    expect(method).toMatchObject({ hint: 'o…@example.com', state: 'Ended' });
    expect(await ben.ask('POST', `/payees/${method?.methodId}/reveal`)).toMatchObject({
      status: 409,
      body: { code: 'Conflict' },
    });
    const sheet = await ann.ask('GET', `/payouts/${open?.batchId}/items-with-payees.csv`);
    expect([sheet.status, sheet.text]).toMatchObject([200, expect.stringContaining('o…@example.com')]);
    await resealMethods(db(), testSealer, testActor); // skips deleted accounts
  });
});
