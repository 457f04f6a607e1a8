import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataFolder } from '../data-folder.ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** PATH without the checkout's own Node, because that Node doesn't exist until it is installed. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

export interface Ran {
  status: number | null;
  /** Standard output and standard error. */
  output: string;
}

/** Copy of the checkout in its own folder, without packages and build output. */
export interface Checkout {
  run(command: string): Ran;
  /** Starts the service with `npm start` and its own database, calls `use`, and stops it. */
  started(use: (url: string, output: string) => Promise<void>): Promise<void>;
  remove(): void;
}

/**
 * Copies the checkout's files, including modified ones.
 * @param parts parts of the checkout to copy; everything if absent
 */
export function copyCheckout(parts = '.'): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-checkout-'));
  chmodSync(folder, 0o711); // PostgreSQL started by root runs as another user, who needs access
  const copied = spawnSync(
    'sh',
    [
      '-c',
      `git ls-files -z --cached --others --exclude-standard -- ${parts} | tar --create --null --files-from=- --ignore-failed-read | tar --extract --directory="${folder}"`,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (copied.status !== 0) throw new Error(`the checkout cannot be copied: ${copied.stderr}`);
  const environment = {
    PATH: path,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    npm_config_prefer_offline: 'true',
  };
  return {
    run(command) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
        timeout: 300_000,
      });
      return { status, output: stdout + stderr };
    },
    async started(use) {
      const data = makeDataFolder();
      const child = spawn('npm', ['start'], {
        cwd: folder,
        env: { ...environment, PORT: '0', DATA_DIR: data.path },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(child, 'close');
      let output = '';
      const heard = new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            output += text;
            const url = /listens on (http:\S+)/.exec(output)?.[1];
            if (url !== undefined && output.includes('Dashboard: ')) resolve(url);
          });
        void ended.then(() => reject(new Error(`npm start ended:\n${output}`)));
      });
      try {
        await use(await heard, output);
      } finally {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
        await ended;
        await data.remove();
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
