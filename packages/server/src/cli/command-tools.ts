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

/** Environment and streams of a command, from the process or from a test. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard input, opened only by commands that read `-`. */
  readonly stdin: () => Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export interface CommandTools {
  /** Output for exact data; on a terminal, control characters are escaped as with `print`. */
  readonly dataOutput: Writable;
  /** Aborted when stdout closes, so that commands that otherwise run until interrupted can stop. */
  readonly outputClosed: AbortSignal;
  /** Writes lines to stdout, with control characters escaped. */
  print(line: string): void;
  /**
   * Prints the result of completed work that must not be repeated. If stdout can't be written, prints it to stderr,
   * and the command still succeeds.
   */
  printDone(line: string): void;
  /** Writes lines to stderr, with control characters escaped. */
  warn(line: string): void;
  /** True when stderr is a terminal, where a person may be watching. */
  readonly isWatched: boolean;
  /**
   * Reads the settings. Warns about variables that look like settings but are not, by default on stderr.
   * @throws ConfigError when a setting is invalid
   */
  config(warnUnknown?: (message: string) => void): Config;
  withDatabase(work: (db: Db, sealer: Sealer) => Promise<void>): Promise<void>;
  /** Reads a file, or standard input for -. @throws OperatorError when it can't be read */
  readText(file: string): Promise<string>;
  readonly toolEnvironment: Record<string, string>;
  /** Environment of further processes of the service. */
  readonly environment: Surroundings['environment'];
  /** Makes the command end with exit code 1. */
  fail(): void;
}

export function commandTools(
  { environment, stdin, stdout, stderr }: Surroundings,
  { fail, done }: { fail: () => void; done: () => void },
): CommandTools {
  const warn = (line: string): void => {
    stderr.write(`${printable(line)}\n`);
  };
  const warnOnStderr = (message: string) => warn(`warning: ${message}`);
  let messages = unknownSettings(environment);
  const config: CommandTools['config'] = (warnUnknown = warnOnStderr) => {
    let report = warnOnStderr;
    try {
      const read = readConfig(environment);
      report = warnUnknown;
      return read;
    } finally {
      messages.forEach(report);
      messages = []; // a command may read the settings more than once
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
    environment,
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
      const read = config(); // first, so that invalid settings are reported before modules are loaded
      const { withDatabase } = await import('./installation/with-database.ts');
      await withDatabase(read, work, warn);
    },
    async readText(file) {
      try {
        // Uses a stream, because a synchronous read from an empty pipe can fail with EAGAIN.
        return file === '-' ? await text(stdin()) : readFileSync(file, 'utf8');
      } catch (error) {
        throw new OperatorError(`Couldn't read ${file}: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}
