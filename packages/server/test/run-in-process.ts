import { Readable, Writable } from 'node:stream';
import { runCommand } from '../src/main.ts';
import type { Outcome, ProcessOptions } from './attribution-process.ts';
import { keyFor } from './sealer.ts';

/**
 * Runs a command to completion in the test's own process, with the same arguments, settings and input as a real process,
 * which would only be slower. Use `runAttribution` to test the system's exit codes, pipes and signals.
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
