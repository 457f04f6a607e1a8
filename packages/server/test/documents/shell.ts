import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Said {
  status: number;
  /** Standard output and standard error. */
  output: string;
}

/** Shell that runs commands one after another, as in a terminal. Variables and files persist. */
export interface Shell {
  run(command: string): Promise<Said>;
  close(): Promise<void>;
}

const longestMs = 60_000;
const mark = '==documented-command==';

/**
 * Opens bash, with a `curl` that fails on errors.
 * @param folder working folder
 * @param definition bash code that defines further commands
 */
export function openShell(folder: string, environment: Record<string, string>, definition: string): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: environment, stdio: 'pipe' });
  const ended = once(child, 'close');
  let output = '';
  let heard = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      heard();
    });
  child.stdin.on('error', () => undefined); // a command may end the shell
  child.stdin.write(`curl() { command curl --fail-with-body "$@"; }\n${definition}\n`);
  return {
    async run(command) {
      output = '';
      const said = new Promise<Said>((resolve, reject) => {
        const end = new RegExp(`\\n${mark}(\\d+)\\n$`);
        heard = () => {
          const [all, status] = end.exec(output) ?? [];
          if (all !== undefined)
            resolve({ status: Number(status), output: output.slice(0, -all.length).trim() });
        };
        void ended.then(() => reject(new Error(`the shell ended at:\n${command}\n${output}`)));
        AbortSignal.timeout(longestMs).addEventListener('abort', () =>
          reject(new Error(`the command took longer than ${longestMs / 1_000} s:\n${command}\n${output}`)),
        );
      });
      child.stdin.write(`{ ${command}\n} 2>&1 </dev/null\nprintf '\\n${mark}%d\\n' $?\n`);
      return said;
    },
    async close() {
      child.stdin.end();
      child.kill('SIGKILL');
      await ended;
    },
  };
}
