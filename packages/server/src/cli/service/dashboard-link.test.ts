import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dashboardLine } from './dashboard-link.ts';

test('a start without a built dashboard says in one line what to type, and where it is then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dist-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = 'http://localhost:8080/sign-in';
  expect(dashboardLine(link, folder)).toBe(
    'Dashboard: not built yet. Type `npm run build:web`, then open http://localhost:8080/sign-in',
  );
  writeFileSync(join(folder, 'index.html'), '');
  expect(dashboardLine(link, folder)).toBe('Dashboard: http://localhost:8080/sign-in');
});
