import { Readable, Writable } from 'node:stream';
import { runCommand } from '../src/main.ts';
import type { Outcome, ProcessOptions } from './attribution-process.ts';
import { keyFor } from './sealer.ts';

/**
 * Runs a command to its end inside the test's own process, by the same words, settings and input as a real one, for
 * what a process would add nothing to but the time it takes to start. Exit codes as the system sees them, pipes and
 * signals are for `runAttribution`.
 */
export async function runInProcess(
  args: readonly string[],
  { environment = {}, input = '' }: Omit<ProcessOptions, 'user'> = {},
): Promise<Outcome> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await runCommand(args, {
    environment: { LOG_LEVEL: 'warn', ...keyFor(environment), ...environment },
    stdin: () => Readable.from([input]),
    stdout,
    stderr,
  });
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

/** Keeps what is written to it. */
export class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
