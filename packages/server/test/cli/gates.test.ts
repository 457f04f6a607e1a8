import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../run-in-process.ts';
import { useRunningService } from '../running-service.ts';

const service = useRunningService();

beforeAll(async () => {
  const program = `
publisher: { id: studio }
groups:
  - { id: main, revShare: 10, members: [ { id: acc_ann, name: Ann, codes: [ { code: ANN } ] }, { id: acc_ben, name: Ben, codes: [ { code: BEN } ] } ] }
`;
  const { environment } = service();
  expect((await runInProcess(['provision', '-'], { environment, input: program })).code).toBe(0);
});

const gates = (...words: string[]) =>
  runInProcess(['gates', ...words, '--publisher', 'studio'], { environment: service().environment });
const file = (csv: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'clearances-')), 'clearances.csv');
  writeFileSync(path, csv);
  return path;
};

test('gates import checks a file, sets the good lines with --apply, and fails while a line is bad', async () => {
  const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const path = file(`memberId,until,note\nacc_ann,${soon},W-9\nacc_ben,soon,W-8BEN\n`);
  const checked = await gates('import', path);
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(/2 +acc_ann +Ann .*change/);
  expect(checked.stdout).toMatch(/3 +acc_ben +Ben .*invalid: Enter the last day/);
  expect(checked.stdout).toContain('1 tax clearance(s) would be set.');
  expect(checked.stderr).toContain("1 of 2 line(s) can't be set.");
  expect((await gates('list')).stdout).toContain('no open tax clearances');

  const applied = await gates('import', path, '--apply', '--json');
  expect(applied.code).toBe(1);
  expect(JSON.parse(applied.stdout)).toMatchObject({
    isDryRun: false,
    lines: [
      { line: 2, memberId: 'acc_ann', verdict: 'change', problem: null },
      { line: 3, verdict: 'invalid' },
    ],
  });
  const again = await gates('import', file(`memberId,until,note\nacc_ann,${soon},W-9`), '--apply');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('0 tax clearance(s) set.')]);
  expect((await gates('list', '--ending')).stdout).toMatch(/acc_ann .*W-9/);
  await gates('clear-tax', '--member', 'acc_ann', '--note', 'W-9');
  expect((await gates('list', '--ending')).stdout).toContain(
    'No tax clearances of publisher studio end within 30 days',
  );
});

test('gates import says which file or publisher is missing', async () => {
  const missing = await gates('import', '/nowhere/clearances.csv');
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("can't be read")]);
  const { code, stderr } = await runInProcess(['gates', 'import', file('a'), '--publisher', 'nobody'], {
    environment: service().environment,
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('nobody')]);
});
