import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '../platform/config.ts';
import type { Db } from '../platform/database/database.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { unknownSettings } from '../platform/unknown-settings.ts';
import { toolEnvironment } from './installation/backup/tool-environment.ts';
import { dataOutput, printable } from './print/printable.ts';

/** What a command has from whoever runs it: the process's own in the program, a test's own in a test. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What `-` reads; asked for by commands that do. */
  readonly stdin: () => Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What commands are made of. */
export interface CommandTools {
  /** For data that must be exact; a terminal gets it as it gets lines. */
  readonly dataOutput: Writable;
  /** Aborted when nothing can be printed any more, for what goes on until somebody stops it. */
  readonly outputClosed: AbortSignal;
  /** Writes a line, or lines, to stdout, safe for a terminal whatever is in it. */
  print(line: string): void;
  /**
   * The same as `print` for what was done and must not be done again: where it cannot be written, it is written to stderr, and
   * the command has not failed.
   */
  printDone(line: string): void;
  /** As `print`, to stderr. */
  warn(line: string): void;
  /** Whether stderr is a terminal, so that somebody may be watching. */
  readonly isWatched: boolean;
  /**
   * The settings; what looks like one and is none is told, by a line on stderr where nothing else is said.
   * @throws ConfigError when a setting is wrong
   */
  config(tell?: (unknown: string) => void): Config;
  /** Opens the database for a command, and closes it again; its schema must be this program's. */
  withDatabase(work: (db: Db, sealer: Sealer) => Promise<void>): Promise<void>;
  /** The text of a file, or of standard input for -. @throws OperatorError when it cannot be read */
  readText(file: string): Promise<string>;
  /** What programs of PostgreSQL's that a command runs are given of the environment. */
  readonly toolEnvironment: Record<string, string>;
  /** The command says what is wrong by its output and by exit code 1. */
  fail(): void;
}

export function commandTools(
  { environment, stdin, stdout, stderr }: Surroundings,
  { fail, done }: { fail: () => void; done: () => void },
): CommandTools {
  const warn = (line: string): void => {
    stderr.write(`${printable(line)}\n`);
  };
  const warnOf = (unknown: string) => warn(`warning: ${unknown}`);
  let unknown = unknownSettings(environment);
  const config: CommandTools['config'] = (tell = warnOf) => {
    let told = warnOf;
    try {
      const read = readConfig(environment);
      told = tell;
      return read;
    } finally {
      unknown.forEach(told);
      unknown = []; // a command may ask twice
    }
  };
  const outputClosed = new AbortController();
  stdout.once('error', () => outputClosed.abort());
  return {
    dataOutput: dataOutput(stdout),
    outputClosed: outputClosed.signal,
    fail,
    config,
    warn,
    toolEnvironment: toolEnvironment(environment),
    isWatched: 'isTTY' in stderr && stderr.isTTY === true,
    print(line) {
      stdout.write(`${printable(line)}\n`);
    },
    printDone(line) {
      done();
      stdout.write(`${printable(line)}\n`, (error) => {
        if (error) warn(line);
      });
    },
    async withDatabase(work) {
      const read = config(); // wrong settings are told before anything is loaded
      const { withDatabase } = await import('./installation/with-database.ts');
      await withDatabase(read, work, warn);
    },
    async readText(file) {
      try {
        // Read as a stream: a pipe that has nothing yet fails a read that does not wait (EAGAIN).
        return file === '-' ? await text(stdin()) : readFileSync(file, 'utf8');
      } catch (error) {
        throw new OperatorError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}
