import { type IncomingMessage, ServerResponse } from 'node:http';
import type { DirectAnswer } from '../src/platform/http/direct/take-requests.ts';

/** Parts of Node's response that are not in its types. */
interface Composed {
  _header: string;
}

/** Answers to one request, as each of the two ways would write them to the connection. */
export interface Compared {
  direct: string;
  usual: string;
}

/**
 * Returns a function for `compareDirect` that passes on both answers to each request, head and body, byte for byte. The
 * time in the Date header is left out, because a second may pass in between.
 */
export const compareWays =
  (onCompared: (compared: Compared) => void) =>
  ({ request, response, headers, text }: DirectAnswer): void => {
    const direct = headOf(request, response, headers) + text;
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      const ended = end(...args);
      const usual = (response as unknown as Composed)._header + String(args[0]);
      onCompared({ direct: withoutDate(direct), usual: withoutDate(usual) });
      return ended;
    };
  };

/** Fails the test run if the two ways answer differently. */
export const requireSameAnswers = compareWays(({ direct, usual }) => {
  if (direct === usual) return;
  // A test can't be failed from here, but an unhandled error fails the run.
  process.nextTick(() => {
    throw new Error(`the framework's answer differs:\n${usual}\nwas answered directly with:\n${direct}`);
  });
});

/** Returns the head that Node would write for a response with these headers. */
function headOf(request: IncomingMessage, response: ServerResponse, headers: readonly string[]): string {
  const copy = new ServerResponse(request);
  // The server decides only after it has created the response whether the connection stays open.
  for (const name of ['shouldKeepAlive', '_keepAliveTimeout', '_maxRequestsPerSocket'] as const)
    Object.assign(copy, { [name]: (response as unknown as Record<string, unknown>)[name] });
  copy.writeHead(200, [...headers]);
  return (copy as unknown as Composed)._header;
}

const withoutDate = (answer: string): string => answer.replace(/^Date: .+GMT$/m, 'Date:');
