import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runInProcess } from '../run-in-process.ts';

export interface Commands {
  /** Bash definition of `npx`, for `npx attribution` only. */
  definition: string;
  close(): Promise<void>;
}

/**
 * Runs the shell's `npx attribution …` in the test's own process, because each of the sixty processes would
 * take half a second of processor time to start. Arguments are sent in a header and standard input in the
 * body. The exit code is returned in a header.
 * @param folder working folder of the shell; arguments that name a file there, or a file to write, are resolved
 */
export async function serveCommands(folder: string, environment: Record<string, string>): Promise<Commands> {
  const socket = join(folder, 'commands.sock');
  const server = createServer(async (request, response) => {
    try {
      const words = Buffer.from(String(request.headers['x-words']), 'base64')
        .toString('utf8')
        .split('\0')
        .slice(0, -1);
      const args = words.map((word, place) => {
        const isFile = words[place - 1] === '--log' || (word !== '' && existsSync(join(folder, word)));
        return isFile ? join(folder, word) : word;
      });
      const { code, stdout, stderr } = await runInProcess(args, { environment, input: await text(request) });
      response.setHeader('x-exit-code', String(code));
      response.end(stdout + stderr);
    } catch (error) {
      response.setHeader('x-exit-code', '1');
      response.end(`the command cannot be run: ${error}`);
    }
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    definition: `npx() {
  shift
  command curl -sS --unix-socket '${socket}' -D '${folder}/.headers' --data-binary @- \\
    -H "x-words: $(printf '%s\\0' "$@" | base64 -w0)" http://localhost/
  return "$(tr -d '\\r' < '${folder}/.headers' | sed -n 's/^x-exit-code: //p')"
}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
