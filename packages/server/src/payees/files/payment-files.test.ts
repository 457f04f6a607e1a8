import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useLinking } from '../../../test/linking.ts';
import { testSealer } from '../../../test/sealer.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';
import { toAccountId } from '../../platform/ids.ts';
import { type Destination, hintOf, sealDestination } from '../destination.ts';
import type { PayeeSettings } from '../payee-settings.ts';
import { pain001 } from './pain-001-09.ts';
import type { PaymentLine } from './payment-line.ts';
import { paypalFile } from './paypal-file.ts';
import { wiseFile } from './wise-file.ts';
import { readWiseHeader } from './wise-header.ts';

const at = useLinking();
const { makeGroup, earn, settle, create, preview, db, service } = at;

let ann: SignedInPerson;
let ben: SignedInPerson;
const wiseHeader =
  'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency';
const debtor = { name: 'AURORA Games Ltd', iban: 'NL91ABNA0417164300', bic: null };

beforeAll(async () => {
  ann = await signIn(service(), 'finance', { name: 'Ann' });
  ben = await signIn(service(), 'owner', { name: 'Ben' });
  const { body } = await ben.ask('GET', '/payee-settings');
  const saved = await ben.ask('PUT', '/payee-settings', {
    ...body,
    waitDays: 0,
    debtor: { ...debtor, iban: 'NL91 ABNA 0417 1643 00' },
  });
  expect([saved.status, saved.body]).toMatchObject([200, { debtor }]);
});

const person = (holderName = 'Maria Muster') =>
  ({ holderName, holderType: 'individual', country: 'DE' }) as const;
const iban = 'DE89370400440532013000';

async function methodOf(memberId: string, body: object): Promise<string> {
  const entered = await ann.ask('POST', `/members/${memberId}/payees`, { ...person(), ...body });
  expect([entered.status, entered.body]).toMatchObject([200, {}]);
  const approved = await ben.ask('POST', `/payees/${entered.body.methodId}/approve`, { acceptsShared: true });
  expect(approved.status).toBe(200);
  return entered.body.methodId;
}

const filesOf = async (payoutId: string) => (await ann.ask('GET', `/payouts/${payoutId}/files`)).body;
const download = (payoutId: string, kind: string, part = 1, query = '') =>
  ann.ask('GET', `/payouts/${payoutId}/files/${kind}/${part}${query}`);

describe('the method of a line', () => {
  test('is that of the creation: later changes, replacements and ends change no file', async () => {
    await makeGroup('pin', 'holdDays: 0,');
    await methodOf('acc_pin_A', { kind: 'paypal', email: 'before-preview@example.com' });
    await earn('pin', 'A', 1_000);
    await settle();
    const { asOf } = await preview('pin');
    await methodOf('acc_pin_A', { kind: 'paypal', email: 'before-create@example.com' });
    const [batch] = await create('pin', asOf);
    const payoutId = batch?.batchId ?? '';
    const first = await download(payoutId, 'paypal');
    expect(first.text).toContain('before-create@example.com,10.00,USD,');
    const later = await methodOf('acc_pin_A', { kind: 'paypal', email: 'after-create@example.com' });
    expect((await download(payoutId, 'paypal')).text).toBe(first.text);
    await ben.ask('POST', `/payees/${later}/end`, { reason: 'wrong' });
    expect((await download(payoutId, 'paypal')).text).toBe(first.text);
    const { kinds } = await filesOf(payoutId);
    const sha256 = createHash('sha256').update(first.text).digest('hex');
    expect(kinds).toMatchObject([{ kind: 'paypal', files: [{ sha256, lineCount: 1, sumMinor: '1000' }] }]);
  });

  test('that ended since the preview is not used, and the line is listed', async () => {
    await makeGroup('ended', 'holdDays: 0,');
    const methodId = await methodOf('acc_ended_A', { kind: 'paypal', email: 'ended@example.com' });
    await earn('ended', 'A', 1_000);
    await settle();
    const { asOf } = await preview('ended');
    await ann.ask('POST', `/payees/${methodId}/end`, { reason: 'The creator says it is wrong' });
    const [batch] = await create('ended', asOf);
    expect(await filesOf(batch?.batchId ?? '')).toMatchObject({
      kinds: [],
      leftOut: {
        lineCount: 1,
        lines: [{ memberId: 'acc_ended_A', amountMinor: '1000', reason: 'NoMethod' }],
      },
    });
  });

  test('that is missing is counted before payouts are marked as paid, until the line has a result', async () => {
    await makeGroup('no-file', 'holdDays: 0,');
    await methodOf('acc_no-file_A', { kind: 'sepa', iban });
    for (const creator of ['A', 'B'] as const) {
      await earn('no-file', creator, 700, { currency: 'EUR' });
      await earn('no-file', creator, creator === 'A' ? 900 : 80, { currency: 'USD' });
    }
    await settle();
    const payouts = await create('no-file', null);
    const ids = payouts.map(({ batchId }) => batchId);
    const counted = async () => (await ann.ask('GET', `/payouts/without-file?payouts=${ids.join(',')}`)).body;
    const idOf = (wanted: string) => payouts.find(({ currency }) => currency === wanted)?.batchId ?? '';
    expect(await counted()).toEqual({
      payouts: [
        expect.objectContaining({ payoutId: idOf('EUR'), lineCount: 1, sumMinor: '700', names: ['B'] }),
        expect.objectContaining({ payoutId: idOf('USD'), lineCount: 2, sumMinor: '980', names: ['A', 'B'] }),
      ],
    });
    const { items } = (await ann.ask('GET', `/payouts/${idOf('EUR')}?withoutFile=true`)).body;
    expect(items).toMatchObject([{ name: 'B', amountMinor: '700', method: null, isWithoutFile: true }]);
    const all = (await ann.ask('GET', `/payouts/${idOf('EUR')}`)).body.items;
    expect(
      all.map((each: { name: string; isWithoutFile: boolean }) => [each.name, each.isWithoutFile]),
    ).toEqual([
      ['A', false],
      ['B', true],
    ]);
    const failed = await ann.ask('POST', `/payouts/${idOf('EUR')}/results`, {
      results: [{ reference: items[0].reference, result: 'Failed' }],
      isDryRun: false,
      owedAgainMinor: '700',
    });
    expect(failed.status).toBe(200);
    expect((await counted()).payouts.map(({ currency }: { currency: string }) => currency)).toEqual(['USD']);
    const { leftOut } = await filesOf(idOf('EUR'));
    expect(leftOut, 'it stays in no file').toMatchObject({ lineCount: 1, sumMinor: '700' });
    const many = Array.from({ length: 251 }, () => ids[0]).join(',');
    expect(await ann.ask('GET', `/payouts/without-file?payouts=${many}`)).toMatchObject({ status: 400 });
    const unknown = '01900000-0000-7000-8000-000000000000';
    expect(await ann.ask('GET', `/payouts/without-file?payouts=${unknown}`)).toMatchObject({ status: 404 });
  });

  test('is the bank account in euros, and the other one in other currencies', async () => {
    await makeGroup('two', 'holdDays: 0,');
    await methodOf('acc_two_A', { kind: 'sepa', iban });
    await earn('two', 'A', 700, { currency: 'EUR' });
    await earn('two', 'A', 900, { currency: 'JPY' });
    await settle();
    const before = await create('two', null, 'JPY');
    expect(await filesOf(before[0]?.batchId ?? '')).toMatchObject({ kinds: [], leftOut: { lineCount: 1 } });
    await methodOf('acc_two_A', { kind: 'paypal', email: 'two@example.com' });
    await earn('two', 'A', 900, { currency: 'JPY' });
    await settle();
    const [jpy] = await create('two', null, 'JPY');
    expect((await download(jpy?.batchId ?? '', 'paypal')).text).toMatch(/^two@example\.com,900,JPY,/);
    const [eur] = await create('two', null, 'EUR');
    const { kinds } = await filesOf(eur?.batchId ?? '');
    expect(kinds).toMatchObject([{ kind: 'sepa', lineCount: 1, sumMinor: '700' }]);
    const xml = (await download(eur?.batchId ?? '', 'sepa', 1, '?executionDay=2026-12-15')).text;
    expect(xml).toContain('<ReqdExctnDt><Dt>2026-12-15</Dt></ReqdExctnDt>');
    expectValid(xml);
    expect(await download(eur?.batchId ?? '', 'sepa', 1, '?executionDay=2026-02-30')).toMatchObject({
      status: 400,
    });
  });

  test('goes along when the creator claims the member, and the claimer’s own stays', async () => {
    await makeGroup('claim', 'holdDays: 0,');
    const code = await at.generate('claim', 'p-claim');
    const creator = await at.makeMember('claim', 'CLAIMS');
    const unclaimed = await db()
      .selectFrom('membership')
      .select('account_id')
      .where('publisher_id', '=', 'aurora')
      .where('group_id', '=', 'claim')
      .where('player_id', '=', 'p-claim')
      .executeTakeFirstOrThrow();
    await methodOf(unclaimed.account_id, { kind: 'paypal', email: 'claimed@example.com' });
    await methodOf(unclaimed.account_id, { kind: 'sepa', iban });
    await methodOf('acc_CLAIMS', { kind: 'wise-email', email: 'own@example.com' });
    await earn('claim', 'A', 100, { code, currency: 'EUR' });
    await settle();
    await at.linked('claim', creator, 'p-claim');
    const { rows } = (await ann.ask('GET', '/members/acc_CLAIMS/payees')).body;
    const open = rows.filter(({ state }: { state: string }) => state !== 'Ended');
    expect(open.map(({ kind, state }: { kind: string; state: string }) => [kind, state])).toEqual([
      ['sepa', 'Usable'],
      ['wise-email', 'Usable'],
    ]);
    const [batch] = await create('claim', null, 'EUR');
    expect((await download(batch?.batchId ?? '', 'sepa')).text).toContain(`<IBAN>${iban}</IBAN>`);
  });
});

describe('the files of a large payout', () => {
  test('are cut at the limits of PayPal and Wise, the same twice, with every line once', async () => {
    await makeGroup('large');
    const payoutId = await largePayout({ paypal: 5_001, 'wise-email': 1_001 });
    const without = await filesOf(payoutId);
    expect(without.kinds).toMatchObject([
      { kind: 'paypal' },
      { kind: 'wise-email', lineCount: 1_001, problem: expect.stringContaining('Send by email'), files: [] },
    ]);
    expect(await download(payoutId, 'wise-email')).toMatchObject({ status: 409 });
    const { body: settings } = await ben.ask('GET', '/payee-settings');
    expect((await ben.ask('PUT', '/payee-settings', { ...settings, wiseHeader })).status).toBe(200);
    const listed = await filesOf(payoutId);
    const shapes = listed.kinds.flatMap(({ files }: { files: { fileName: string; lineCount: number }[] }) =>
      files.map(({ fileName, lineCount }) => [fileName, lineCount]),
    );
    expect(shapes).toEqual([
      ['payout-9001-paypal-1-of-2.csv', 5_000],
      ['payout-9001-paypal-2-of-2.csv', 1],
      ['payout-9001-wise-email-1-of-2.csv', 1_000],
      ['payout-9001-wise-email-2-of-2.csv', 1],
    ]);
    const references: string[] = [];
    let sum = 0;
    for (const { files } of listed.kinds)
      for (const { kind, part, sha256, sumMinor } of files) {
        const { text, status } = await download(payoutId, kind, part);
        expect(status).toBe(200);
        expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
        references.push(...(text.match(/\b9001-\d{5}/g) ?? []));
        sum += Number(sumMinor);
      }
    expect(new Set(references).size).toBe(6_002);
    expect(references).toHaveLength(6_002);
    expect(sum).toBe(6_002 * 30);
    expect(await download(payoutId, 'paypal', 3)).toMatchObject({ status: 404 });
    expect(await filesOf(payoutId)).toEqual(listed);
  }, 60_000);
});

/** Inserts a payout of 0.30 USD for each of many creators with methods of the given kinds. */
async function largePayout(counts: Record<'paypal' | 'wise-email', number>): Promise<string> {
  const kinds = Object.entries(counts).flatMap(([kind, n]) => Array.from({ length: n }, () => kind));
  const batchId = '0197a000-0000-7000-8000-000000000001';
  await sql`
    insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                              number)
    values ('aurora', ${batchId}::uuid, 'large', 'USD', now(), 'Created', ${kinds.length * 30}, ${kinds.length},
            ${kinds.length}, 9001)`.execute(db());
  for (let start = 0; start < kinds.length; start += 500) {
    const rows = kinds.slice(start, start + 500).map((kind, index) => {
      const accountId = toAccountId(`acc_large_${start + index}`);
      const destination = { kind, ...person(), email: `c${start + index}@example.com` } as Destination;
      return {
        accountId,
        kind,
        sealed: sealDestination(testSealer, { publisherId: 'aurora', accountId }, destination),
        hint: hintOf(destination),
      };
    });
    await sql`
      with one as (
        select account_id, kind, sealed, hint, gen_random_uuid() as method_id, gen_random_uuid() as membership_id
        from unnest(${rows.map(({ accountId }) => accountId)}::text[], ${rows.map(({ kind }) => kind)}::text[],
                    ${rows.map(({ sealed }) => sealed)}::text[], ${rows.map(({ hint }) => hint)}::text[])
          as one (account_id, kind, sealed, hint)
      ),
      account as (
        insert into creator_account (account_id, name, owner_publisher_id) select account_id, account_id, 'aurora' from one
      ),
      member as (
        insert into membership (publisher_id, membership_id, group_id, account_id, status)
        select 'aurora', membership_id, 'large', account_id, 'Approved' from one
      ),
      method as (
        insert into payee_method (publisher_id, method_id, account_id, kind, sealed, hint, fingerprint, entered_at,
                                  entered_by_kind, entered_by_id, entered_by_name)
        select 'aurora', method_id, account_id, kind, sealed, hint, sha256(account_id::bytea), now(), 'staff', 'x', 'x'
        from one
      )
      insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, adjustments_minor,
                               amount_minor, reference, method_id)
      select 'aurora', gen_random_uuid(), ${batchId}::uuid, membership_id, 1, 30, 0, 30,
             '9001-' || lpad((${start}::int + row_number() over ())::text, 5, '0'), method_id
      from one`.execute(db());
  }
  return batchId;
}

const payout = (currency: string) => ({
  number: 1042,
  currency,
  createdAt: new Date('2026-11-30T10:20:30.123Z'),
});
const settings = (changes: Partial<PayeeSettings> = {}): PayeeSettings => ({
  waitDays: 7,
  paypalDecimalSign: '.',
  wiseHeader,
  wiseSourceCurrency: null,
  debtor,
  ...changes,
});
const line = (amountMinor: bigint, destination: Destination, number = 1): PaymentLine => ({
  reference: `1042-0000${number}`,
  amountMinor,
  destination,
});
const paypal = { kind: 'paypal', ...person(), email: 'a@example.com' } as const;
const wise = { kind: 'wise-email', ...person('Zoë O’Neill, Ltd.'), email: 'a@example.com' } as const;
const bank = { kind: 'sepa', ...person(), iban, bic: null } as const;

describe.each([
  ['USD', 30n, '0.30'],
  ['USD', 9_007_199_254_740_993n, '90071992547409.93'],
  ['JPY', 1_234n, '1234'],
  ['BHD', 1_234n, '1.234'],
])('an amount of %s %i', (currency, amount, text) => {
  test('has its decimal places in files for PayPal and Wise, with either decimal sign', () => {
    expect(paypalFile([line(amount, paypal)], payout(currency), settings())).toBe(
      `a@example.com,${text},${currency},1042-00001,Payout 1042,PAYPAL\r\n`,
    );
    const comma = text.replace('.', ',');
    expect(
      paypalFile([line(amount, paypal)], payout(currency), settings({ paypalDecimalSign: ',' })),
    ).toContain(comma.includes(',') ? `,"${comma}",${currency},` : `,${comma},${currency},`);
    expect(wiseFile([line(amount, wise)], payout(currency), settings({ wiseSourceCurrency: 'EUR' }))).toBe(
      `${wiseHeader}\r\n"Zoë O’Neill, Ltd.",a@example.com,1042-00001,PERSON,target,${text},EUR,${currency}\r\n`,
    );
  });
});

describe('the header of a Wise template', () => {
  test.each([
    [wiseHeader.replace('amountCurrency', 'amountCurency'), 'amountCurency'],
    [wiseHeader.replace(',amountCurrency', ''), 'amountcurrency'],
    [wiseHeader.replace('recipientEmail,', ''), 'recipientEmail'],
    [`${wiseHeader},amount`, 'repeated'],
    ['=cmd()', '=cmd()'],
    ['constructor', 'constructor'],
  ])('%s is rejected', (header, message) => {
    expect(() => readWiseHeader(header)).toThrow(message);
  });
  test('may be quoted, in any order, with a byte order mark', () => {
    expect(
      readWiseHeader('\ufeffamount,"email",name,SourceCurrency,targetCurrency,amountCurrency'),
    ).toHaveLength(6);
  });
});

const xsd = fileURLToPath(new URL('../../../test/pain-001-09.xsd', import.meta.url));
const hasValidator = spawnSync('xmllint', ['--version']).status === 0;

/** Validates a SEPA file with our schema. Without xmllint (Debian's libxml2-utils), only the text is compared. */
function expectValid(xml: string): void {
  if (!hasValidator) return;
  const folder = mkdtempSync(join(tmpdir(), 'sepa-'));
  try {
    writeFileSync(join(folder, 'file.xml'), xml);
    execFileSync('xmllint', ['--noout', '--nonet', '--schema', xsd, join(folder, 'file.xml')], {
      stdio: 'pipe',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a SEPA file', () => {
  const file = { messageId: 'PAYOUT-1042-1', executionDay: '2026-12-01', debtor };
  const lines = [
    line(10n, bank),
    line(20n, { ...bank, holderName: 'N'.repeat(70), bic: 'COBADEFFXXX' }, 2),
    line(99_999_999_999n, bank, 3),
  ];
  test('adds up exactly, and names each line by its reference', () => {
    const xml = pain001(lines.slice(0, 2), payout('EUR'), file);
    expect(xml.match(/<CtrlSum>0\.30<\/CtrlSum>/g)).toHaveLength(2);
    expect(xml).toContain('<EndToEndId>1042-00002</EndToEndId>');
    expect(xml).toContain('<MsgId>PAYOUT-1042-1</MsgId><CreDtTm>2026-11-30T10:20:30Z</CreDtTm>');
    expect(pain001(lines.slice(0, 2), payout('EUR'), file)).toBe(xml);
  });
  test.skipIf(!hasValidator)('is valid for the schema, which finds mistakes (needs xmllint)', () => {
    const xml = pain001(lines, payout('EUR'), file);
    expectValid(xml);
    for (const [right, wrong] of [
      ['<ReqdExctnDt><Dt>2026-12-01</Dt></ReqdExctnDt>', '<ReqdExctnDt>2026-12-01</ReqdExctnDt>'],
      ['999999999.99', '1000000000.00'],
      ['BICFI>', 'BIC>'],
      ['N'.repeat(70), 'N'.repeat(71)],
      ['Maria Muster', 'Дмитрий'],
    ] as const) {
      expect(xml).toContain(right);
      expect(() => expectValid(xml.replaceAll(right, wrong)), wrong).toThrow();
    }
  });
});
