import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { linkLibraries } from './link-libraries.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postgres-package-'));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true }));
  mkdirSync(join(folder, 'native'));
  const links = ['libicuuc.so', 'libicuuc.so.60'].map((name) => ({
    source: 'native/lib/libicuuc.so.60.2',
    target: `native/lib/${name}`,
  }));
  writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
});

test('links the libraries once after an installation without scripts', () => {
  mkdirSync(join(folder, 'native/lib'));
  writeFileSync(join(folder, 'native/lib/libicuuc.so.60.2'), 'the library');
  for (let times = 0; times < 2; times += 1) linkLibraries(folder);
  expect(readdirSync(join(folder, 'native/lib'))).toEqual([
    'libicuuc.so',
    'libicuuc.so.60',
    'libicuuc.so.60.2',
  ]);
  expect(readFileSync(join(folder, 'native/lib/libicuuc.so.60'), 'utf8')).toBe('the library');
});

test('throws an error with the command to run when the folder is not writable', () => {
  writeFileSync(join(folder, 'native/lib'), 'no folder, so that it cannot be written to by root either');
  expect(() => linkLibraries(folder)).toThrow(
    /libicuuc\.so of the embedded PostgreSQL isn't linked, because .*--ignore-scripts.* Run `npm rebuild --ignore-scripts=false`/,
  );
});

test('does nothing for a package without a list of links', () => {
  rmSync(join(folder, 'native/pg-symlinks.json'));
  linkLibraries(folder);
  expect(readdirSync(join(folder, 'native'))).toEqual([]);
});
