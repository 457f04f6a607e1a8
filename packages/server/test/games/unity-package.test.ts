import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildUnityCore, compile, gamesFolder, hasMono, mcsOptions, sourcesOf } from './cores.ts';

const folder = join(gamesFolder, 'unity');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const guidOf = (path: string): string | undefined =>
  /^guid: ([0-9a-f]{32})$/m.exec(read(`${path}.meta`))?.[1];

/** Files and folders that Unity imports. It ignores folders whose names end with ~, except for a sample that is copied. */
const imported = [
  'package.json',
  ...globSync(['Runtime', 'Runtime/**', 'Samples~/*/**'], { cwd: folder }),
].filter((path) => !path.endsWith('.meta'));

test('each file of the package has a meta file with an id of its own', () => {
  expect(imported.length).toBeGreaterThan(20);
  const guids = imported.map((path) => [path, guidOf(path)]);
  // Unity ignores files of installed packages that have none. Open the package in Unity once, or copy another with a new id.
  expect(guids.filter(([, guid]) => guid === undefined)).toEqual([]);
  expect(new Set(guids.map(([, guid]) => guid)).size).toBe(imported.length);
  const orphans = globSync(['*.meta', '{Runtime,Samples~}/**/*.meta'], { cwd: folder }).filter(
    (path) => !existsSync(join(folder, path.replace(/\.meta$/, ''))),
  );
  expect(orphans).toEqual([]);
});

test("the example's scene uses scripts of the package", () => {
  const [scene] = imported.filter((path) => path.endsWith('.unity'));
  const used = [...read(scene ?? '').matchAll(/m_Script: \{fileID: 11500000, guid: ([0-9a-f]{32})/g)].map(
    ([, guid]) => guid,
  );
  const scripts = ['Runtime/Unity/AttributionBehaviour.cs', 'Samples~/CreatorCode/CreatorCodeExample.cs'];
  expect(used).toEqual(scripts.map(guidOf));
});

test('the package has the version of the service, and assemblies that exist', () => {
  const root = JSON.parse(readFileSync(join(gamesFolder, '../package.json'), 'utf8'));
  expect(JSON.parse(read('package.json')).version).toBe(root.version);
  const assemblies = imported
    .filter((path) => path.endsWith('.asmdef'))
    .map((path) => JSON.parse(read(path)));
  const names = [...assemblies.map(({ name }) => name), 'UnityEngine.UI'];
  for (const { references } of assemblies) for (const each of references) expect(names).toContain(each);
  const core = assemblies.find(({ name }) => name === 'CreatorAttribution.Core');
  expect(core).toMatchObject({ noEngineReferences: true, references: [] });
});

describe.skipIf(!hasMono)(`C#${hasMono ? '' : ' (skipped: install mono-mcs and mono-runtime)'}`, () => {
  /** Compiles sources against the core and the stubs of the engine's types, which proves their syntax only. */
  const compileForUnity = (sources: readonly string[]) => {
    const built = mkdtempSync(join(tmpdir(), 'unity-'));
    try {
      const core = buildUnityCore(built);
      const layer = join(built, 'unity.dll');
      const layers = [
        ...sourcesOf('unity', 'Runtime/Unity/*.cs'),
        ...sourcesOf('unity', 'Tests~/Stubs/*.cs'),
      ];
      compile('mcs', [...mcsOptions, '-target:library', `-out:${layer}`, `-r:${core}`, ...layers]);
      const references = [`-r:${core}`, `-r:${layer}`];
      compile('mcs', [
        ...mcsOptions,
        '-target:library',
        `-out:${join(built, 'x.dll')}`,
        ...references,
        ...sources,
      ]);
    } finally {
      rmSync(built, { recursive: true, force: true });
    }
  };

  test('the Unity layer and the example compile against stubs of the engine', () => {
    compileForUnity(sourcesOf('unity', 'Samples~/**/*.cs'));
  });

  test('the code in docs/unity.md compiles', () => {
    const page = readFileSync(join(gamesFolder, '../docs/unity.md'), 'utf8');
    const blocks = [...page.matchAll(/^```csharp\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
    expect(blocks.length).toBeGreaterThan(1);
    const copied = mkdtempSync(join(tmpdir(), 'page-'));
    const paths = blocks.map((block, index) => {
      const path = join(copied, `block-${index}.cs`);
      writeFileSync(path, block);
      return path;
    });
    compileForUnity(paths);
    rmSync(copied, { recursive: true });
  });
});
