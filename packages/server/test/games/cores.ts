import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect } from 'vitest';

type Json = Record<string, unknown>;

const cacheFolder = join(import.meta.dirname, '../../../../node_modules/.cache');
export const gamesFolder = join(import.meta.dirname, '../../../../games');

interface Cases {
  /** Base addresses, and what the client makes of them; rejected without `is`. */
  addresses: { baseUrl: string; is?: string }[];
  /** Keys, and a word of the message with which the client rejects them. */
  keys: { key: string; isValid?: true; message?: string }[];
  /** Calls, and the path and query that are requested. */
  requests: (Json & { path?: string; isRejected?: true })[];
  json: { same: string[]; read: { text: string; is: string }[]; malformed: string[]; maxDepth: number };
  /** Responses in a virtual time, and the result of the call. */
  responses: (Json & {
    name: string;
    responses: unknown[];
    value?: object;
    error?: object;
    tries?: number;
    sentAt?: number[];
    canceled?: number;
    elapsedMs?: number;
  })[];
  /** Script of a code field: typed texts at virtual times, and the states and requests to expect. */
  fields: (Json & {
    name: string;
    responses: unknown[];
    changes?: string[];
    sent: string[];
    canceled?: number;
  })[];
}

/** Data that both cores are tested with. */
export const cases: Cases = JSON.parse(readFileSync(join(gamesFolder, 'cases.json'), 'utf8'));

/** Core of a game engine's client, with a program that runs commands on it. */
export interface Core {
  /** Name for tests, which says why they are skipped. */
  readonly name: string;
  readonly isInstalled: boolean;
  /** Ids that are malformed text in the core's language. */
  readonly malformedIds: readonly object[];
  /** Compiles the program. @returns the command that starts it */
  build(folder: string): readonly [command: string, ...args: string[]];
}

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Runs a compiler, which must not print any warning. */
export function compile(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' });
}

export const sourcesOf = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: join(gamesFolder, folder) }).map((path) => join(gamesFolder, folder, path));

export const hasMono = has('mcs') && has('mono');
/** The language and the API that Unity has. */
export const mcsOptions = ['-langversion:7.2', '-warnaserror', '-warn:4'];

/** Compiles the C# core. @returns its path */
export function buildUnityCore(folder: string): string {
  const core = join(folder, 'core.dll');
  compile('mcs', [
    ...mcsOptions,
    '-target:library',
    `-out:${core}`,
    ...sourcesOf('unity', 'Runtime/Core/**/*.cs'),
  ]);
  return core;
}

const unity: Core = {
  name: `Unity core${hasMono ? '' : ' (skipped: install mono-mcs and mono-runtime)'}`,
  isInstalled: hasMono,
  malformedIds: [{ id: '\ud83d' }, { id: 'a\ude00b' }],
  build(folder) {
    const core = buildUnityCore(folder);
    const program = join(folder, 'driver.exe');
    compile('mcs', [...mcsOptions, `-out:${program}`, `-r:${core}`, ...sourcesOf('unity', 'Tests~/*.cs')]);
    return ['mono', program];
  },
};

export const hasGpp = has('g++');
/** Engines compile without exceptions and type information. The sanitizers end the program at the first error. */
const gppOptions = [
  ...['-std=c++17', '-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror'],
  ...['-fno-exceptions', '-fno-rtti', '-g', '-fsanitize=address,undefined', '-fno-sanitize=vptr'],
  '-fno-sanitize-recover=all',
];

const unreal: Core = {
  name: `Unreal core${hasGpp ? '' : ' (skipped: install g++)'}`,
  isInstalled: hasGpp,
  malformedIds: [{ id64: '/w==' }, { id64: '7aCA' }, { id64: 'YcM=' }],
  build(folder) {
    const program = join(folder, 'driver');
    const module = join(gamesFolder, 'unreal/Source/CreatorAttribution');
    const includes = ['Public', 'Private'].map((each) => `-I${join(module, each)}`);
    const sources = [
      ...sourcesOf('unreal', 'Source/CreatorAttribution/Private/Core/*.cpp'),
      ...sourcesOf('unreal', 'Tests/*.cpp'),
    ];
    // As Unreal does, it compiles all sources as one, which is faster, and finds names that are used twice.
    const all = join(folder, 'all.cpp');
    writeFileSync(all, sources.map((path) => `#include "${path}"\n`).join(''));
    compile('g++', [
      ...gppOptions,
      ...includes,
      `-I${join(gamesFolder, 'unreal/Tests')}`,
      '-o',
      program,
      all,
    ]);
    return [program];
  },
};

export const cores: readonly Core[] = [unity, unreal];

export interface Driver {
  /** Runs a command of the test program, and returns its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of any shape
  run(command: Json): Promise<any>;
}

/** Builds a core's test program, and runs it for the tests of a file or group. */
export function useDriver(core: Core): Driver {
  let folder = '';
  let child: ChildProcess | undefined;
  let lines: AsyncIterator<string> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  beforeAll(() => {
    // Containers often forbid to run programs from /dev/shm, where the tests' temporary folder is.
    mkdirSync(cacheFolder, { recursive: true });
    folder = mkdtempSync(join(cacheFolder, 'games-'));
    const [command, ...args] = core.build(folder);
    child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (child.stdout) lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  });
  afterAll(async () => {
    if (child !== undefined && child.exitCode === null) {
      child.stdin?.end();
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const runOne = async (command: Json): Promise<unknown> => {
    child?.stdin?.write(`${ascii(JSON.stringify(command))}\n`);
    const line = await lines?.next();
    if (line === undefined || line.done) throw new Error(`${core.name} ended`);
    return JSON.parse(line.value);
  };
  return {
    run(command) {
      // One command at a time, because the program answers in order.
      const answer = last.then(() => runOne(command));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

/** Escapes other characters than ASCII, so that the program's encoding doesn't matter. */
const ascii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
