import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dashboardLine } from './dashboard-link.ts';

test('shows the command to build the dashboard and the link when it is not built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dist-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = 'http://localhost:8080/sign-in';
  expect(dashboardLine(link, folder)).toBe(
    'Dashboard: not built yet. Run `npm run build:web`, then open http://localhost:8080/sign-in',
  );
  writeFileSync(join(folder, 'index.html'), '');
  expect(dashboardLine(link, folder)).toBe('Dashboard: http://localhost:8080/sign-in');
});
