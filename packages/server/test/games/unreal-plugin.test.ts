import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile, gamesFolder, hasGpp, sourcesOf } from './cores.ts';

const module = join(gamesFolder, 'unreal/Source/CreatorAttribution');
const layer = sourcesOf('unreal', 'Source/CreatorAttribution/{Public,Private}/*.{h,cpp}');

test('the plugin has the version of the service', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(gamesFolder, path), 'utf8'));
  expect(read('unreal/CreatorAttribution.uplugin').VersionName).toBe(read('../package.json').version);
});

test('each file of the layer says that it has not been run in the engine', () => {
  expect(layer.length).toBeGreaterThan(10);
  for (const path of layer)
    expect(readFileSync(path, 'utf8'), path).toContain('has not been run in Unreal yet');
});

describe.skipIf(!hasGpp)(`C++${hasGpp ? '' : ' (skipped: install g++)'}`, () => {
  test('the layer compiles against stubs of the engine', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unreal-'));
    // Each header of the engine is the same file of stubs.
    const included = layer.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^#include "(.+)"$/gm)]);
    const own = sourcesOf('unreal', 'Source/CreatorAttribution/{Public,Private}/**/*.h');
    for (const [, header = ''] of included) {
      if (own.some((path) => path.endsWith(`/${header}`))) continue;
      mkdirSync(join(folder, dirname(header)), { recursive: true });
      writeFileSync(join(folder, header), '#include "EngineStubs.h"\n');
    }
    const sources = layer.filter((path) => path.endsWith('.cpp'));
    writeFileSync(join(folder, 'all.cpp'), sources.map((path) => `#include "${path}"\n`).join(''));
    const folders = [
      join(module, 'Public'),
      join(module, 'Private'),
      join(gamesFolder, 'unreal/Tests/Stubs'),
      folder,
    ];
    const includes = folders.map((each) => `-I${each}`);
    // Overridden methods don't use all of their parameters.
    const options = [
      '-std=c++17',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-Wno-unused-parameter',
      '-fno-exceptions',
      '-fsyntax-only',
    ];
    compile('g++', [...options, ...includes, join(folder, 'all.cpp')]);
    rmSync(folder, { recursive: true });
  });
});
