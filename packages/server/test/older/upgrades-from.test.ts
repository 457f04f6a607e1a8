import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { upgradesFrom, version } from '../../src/platform/config.ts';
import { isOlder, readMigrations } from '../../src/platform/database/schema/migration-files.ts';
import { lastMigration } from './older-installation.ts';

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

test('the tests upgrade an installation of the oldest supported version', () => {
  const brought = readdirSync(new URL('.', import.meta.url))
    .flatMap((name) => /^installation-(.+)\.ndjson\.gz$/.exec(name)?.[1] ?? [])
    .sort((one, other) => (isOlder(one, other) ? -1 : 1));
  expect(brought[0]).toBe(upgradesFrom);
  expect(isOlder(upgradesFrom, version)).toBe(true);
});

test('each migration since names the oldest version it supports, and has a switch that stops the older one', () => {
  const since = readMigrations().filter(({ name }) => name.slice(0, 4) > lastMigration);
  for (const { name, oldestVersion } of since) {
    expect(isOlder(oldestVersion, upgradesFrom), name).toBe(false);
    expect(isOlder(version, oldestVersion), name).toBe(false);
  }
  const stopsIt = since.some(({ oldestVersion }) => isOlder(upgradesFrom, oldestVersion));
  expect(since.some(({ isSwitch }) => isSwitch)).toBe(stopsIt);
});

test('the documents name the same version', () => {
  expect(read('docs/operating.md').replaceAll(/\s+/g, ' ')).toContain(
    `Version ${version} upgrades from ${upgradesFrom}.`,
  );
  expect(read('docs/releasing.md').replaceAll(/\s+/g, ' ')).toContain(
    `${version} upgrades databases of ${upgradesFrom}.`,
  );
  const [, ofThis = ''] = read('CHANGELOG.md').split(/^## /m);
  expect(ofThis.startsWith(version)).toBe(true);
  expect(ofThis).toContain(`From ${upgradesFrom}:`);
});
