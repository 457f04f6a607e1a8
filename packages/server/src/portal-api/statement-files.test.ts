import { describe, expect, test } from 'vitest';
import { textOfPdf } from '../../test/pdf-text.ts';
import { type Shown, useStatements } from '../../test/statements.ts';
import { fontChooser } from '../settlement/statements/pdf/choose-font.ts';
import { plainText } from '../settlement/statements/pdf/plain-text.ts';
import { StatementDrawer } from '../settlement/statements/pdf/statement-drawer.ts';
import { drawStatement } from '../settlement/statements/pdf/statement-pdf.ts';
import { visualRuns } from '../settlement/statements/pdf/text-runs.ts';
import { listStatements } from '../settlement/statements/read-statements.ts';
import type { Statement } from '../settlement/statements/statement.ts';

const scene = await useStatements();
const { portal, months, listed, membershipsOf, csvOf } = scene;
const { earn, settle, create, refund, patch, db } = portal;

describe('the PDF of a statement', () => {
  const bytesOf = async (statement: Shown | undefined) => {
    const answer = await scene.browser.get(
      `/statements/${statement?.statementId}/statement.pdf?publisher=aurora`,
    );
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    return answer.text;
  };

  /** Issues a statement, and returns it. */
  async function issued(): Promise<Statement> {
    await earn(scene.group, 'A', 1);
    await settle();
    await months.close();
    const [found] = (await listStatements(db(), 'aurora', await membershipsOf())).statements;
    if (found === undefined) throw new Error('there is no statement');
    return found;
  }

  test('is always the same, also after the creator has another name', async () => {
    await earn(scene.group, 'A', 4_321);
    await settle();
    await months.close();
    const [statement] = await listed();
    const first = await bytesOf(statement);
    expect(first).toMatch(/^%PDF-/);
    await portal.provisionGroup(scene.group, `members: [ { id: acc_${scene.group}_A, name: Another } ]`);
    await months.close();
    expect(await bytesOf(statement)).toBe(first);
  });

  test('shows names as they are written, with fonts that have their letters', async () => {
    const names: [string, string[]][] = [
      ['Иван Сидоров (Київ)', []],
      ['Ελληνικά Nguyễn Thị Ánh', []],
      ['محمد عبد الله (2024) ABC', ['Arabic']],
      ['ישראל (12)', ['Hebrew']],
      ['น้ำผึ้ง', ['Thai']],
      ['हिन्दी नाम', []],
      ['王小明 Nova 喆堃', ['SC']],
      ['山田太郎 さくら 髙橋 﨑 𠮷', ['JP']],
      ['边 の 山', ['JP', 'SC']], // the Japanese font has no simplified characters
      ['김민수 (민수) 漢', ['KR']],
      ['น้ำผึ้ง 李娜 Ω Ив 박', ['KR', 'Thai']],
      ['株式会社カタカナ、。・「」Ａ１ｱｲ㈱', ['JP']],
      ['ㄅㄆㄇ，《书》', ['SC']],
      ['x'.repeat(255), []],
      ['\u202eevil\u0007', []],
      ['a b '.repeat(60), []],
      ['很长的名字'.repeat(40), ['SC']],
    ];
    const found = await issued();
    for (const [accountName, others] of names) {
      const file = await drawStatement({ ...found, accountName });
      const again = await drawStatement({ ...found, accountName });
      expect([accountName, file.equals(again)]).toEqual([accountName, true]);
      const { fonts, boxes, pieces } = textOfPdf(file);
      const expected = ['', ...others].map((script) => `NotoSans${script}-Regular`);
      expect([accountName, fonts, boxes]).toEqual([accountName, [...expected, 'NotoSans-Bold'].sort(), 0]);
      expect(file.toString('latin1').match(/\/FontFile2 /g)).toHaveLength(fonts.length);
      // Every letter can be copied from the file. Long names are cut, and right-to-left words are drawn in another order.
      const lettersOf = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
      const drawn = new Set(lettersOf(pieces.join('')));
      const shown = new Set(lettersOf(plainText(accountName).slice(0, 60)));
      expect([accountName, [...shown].filter((letter) => !drawn.has(letter))]).toEqual([accountName, []]);
    }
  });

  test('leaves out emoji, and marks other characters that it can’t show', async () => {
    const note = /^\[\?\] stands for characters/;
    const names: [string, string][] = [
      ['🔥Nova🔥 👨‍👩‍👧 1️⃣ 🇩🇪', 'Nova 1'],
      ['👍🏽 王 👍', '王'],
      ['ქართული Nova தமிழ் 王', '[?] Nova [?] 王'],
      ['🔥 \u{10ffff}', '[?]'],
      ['🔥🔥', '[?]'],
    ];
    const found = await issued();
    for (const [accountName, shown] of names) {
      const { pieces, boxes } = textOfPdf(await drawStatement({ ...found, accountName }));
      const name = pieces.slice(pieces.indexOf('Creator') + 1, pieces.indexOf('Account')).join('');
      expect([accountName, name, boxes]).toEqual([accountName, shown, 0]);
      expect([accountName, pieces.some((piece) => note.test(piece))]).toEqual([
        accountName,
        shown.includes('[?]'),
      ]);
    }
  });

  test('is drawn one at a time, and too many at once are told to try again', async () => {
    const found = await issued();
    const drawer = new StatementDrawer();
    const drawn = await Promise.allSettled(Array.from({ length: 25 }, () => drawer.draw(found)));
    expect(drawn[0]).toMatchObject({ status: 'fulfilled' });
    const rejected = drawn.filter((each) => each.status === 'rejected');
    expect(rejected.length).toBeGreaterThanOrEqual(4);
    for (const { reason } of rejected) expect(reason).toMatchObject({ code: 'Unavailable' });
  });

  test('keeps names from changing other text', () => {
    const chooseFont = fontChooser('', () => true);
    expect(visualRuns('ab אבג 12', chooseFont)).toMatchObject([
      { text: 'ab ' },
      { text: '12' },
      { text: ' ' },
      { text: 'אבג' },
    ]);
    expect(visualRuns('محمد عبد (12)', chooseFont).map(({ text }) => text)).toEqual([
      '(',
      '12',
      ')',
      ' ',
      'عبد',
      ' ',
      'محمد',
    ]);
    expect(plainText('a\u202eb\u0000c\n d')).toBe('abc d');
    expect(plainText('น้ำ')).toBe('น\u0e4d\u0e49\u0e32');
  });
});

describe('the CSV of a statement', () => {
  test('has every line with its exact calculation, adds up to the closing balance, and is always the same', async () => {
    const buyer = { player: { id: 'buyer-77', name: 'Buyer Name' } };
    const kept = await earn(scene.group, 'A', 999, {
      memberSharePercent: 12.5,
      description: 'For Buyer',
      ...buyer,
    });
    const back = await earn(scene.group, 'A', 400, { transactionId: `secret-${scene.number}` });
    const old = await earn(scene.group, 'A', 10, { transactionDate: '2020-01-01T00:00:00Z' });
    await settle();
    await refund(back.transactionId, { refundId: 'part', amount: 100, reason: 'Refund' });
    await create(scene.group);
    await months.close();
    const [statement] = await listed();
    const { answer, lines, text } = await csvOf(statement);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain(`statement-aurora-${scene.group}-`);
    expect(lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['opening', '0'],
      ['earned', '125'],
      ['earned', '400'],
      ['earned', '10'],
      ['reversed', '-100'],
      ['toPayouts', '-435'],
      ['closing', '0'],
    ]);
    expect(lines[1]).toMatchObject({
      reference: expect.stringMatching(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){2}$/),
      code: 'M-A',
      subtotal: '9.99',
      sharePercent: '12.5',
      rule: 'sent',
      exactShare: '1.24875',
      share: '1.25',
      amount: '1.25',
    });
    expect(lines[4]?.reference).toBe(lines[2]?.reference);
    expect(lines[5]).toMatchObject({ state: 'Created', paidAt: '', reference: expect.stringMatching(/-/) });
    for (const hidden of ['buyer-77', 'Buyer', kept.transactionId, back.transactionId, old.id])
      expect(text).not.toContain(hidden);
    await patch(kept.transactionId, { form: { playerId: 'someone-else' } });
    await months.close();
    expect((await csvOf(statement)).text).toBe(text);
  });

  test.each([
    ['USD', [10, 20], ['0.10', '0.20', '0.30']],
    ['JPY', [1_000, 234], ['1000', '234', '1234']],
    ['BHD', [1_001, 2_002], ['1.001', '2.002', '3.003']],
  ] as const)('and its PDF have the decimal places of %s', async (currency, subtotals, amounts) => {
    for (const subtotal of subtotals) await earn(scene.group, 'A', subtotal, { currency });
    await settle();
    await months.close();
    const [statement] = await listed();
    const { lines } = await csvOf(statement);
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['opening', (0).toFixed(amounts[2].split('.')[1]?.length ?? 0)],
      ...amounts.slice(0, 2).map((amount) => ['earned', amount]),
      ['closing', amounts[2]],
    ]);
    const [found] = (await listStatements(db(), 'aurora', await membershipsOf())).statements;
    if (found === undefined) throw new Error('there is no statement');
    const { pieces } = textOfPdf(await drawStatement(found));
    const closing = pieces.slice(pieces.indexOf('Closing balance'));
    expect(closing[1]).toBe(`${amounts[2]} ${currency}`);
  });

  test('finds the purchases of many postings, in any order of their dates', async () => {
    for (let posting = 0; posting < 130; posting += 1) {
      const transactionDate = posting % 3 === 0 ? '2021-05-05T00:00:00Z' : new Date().toISOString();
      await earn(scene.group, 'A', posting + 1, { transactionDate });
      await settle();
    }
    await months.close();
    const [statement] = await listed();
    const { lines } = await csvOf(statement);
    const shares = lines.filter(({ kind }) => kind === 'earned').map(({ share }) => Number(share));
    expect(shares).toHaveLength(130);
    expect(shares).not.toContain(Number.NaN);
    expect(Math.round(shares.reduce((sum, share) => sum + share, 0) * 100)).toBe((130 * 131) / 2);
  });
});
