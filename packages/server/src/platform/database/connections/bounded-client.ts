import pg from 'pg';
import { NoAnswerError } from '../database-errors.ts';
import { type Cancellable, cancelQuery } from './cancel-query.ts';
import { type LeftCommits, mayCommit } from './left-commits.ts';
import type { Session } from './session.ts';

interface Bounds {
  answerMs: number;
  ssl: pg.ClientConfig['ssl'];
  session: Session;
  leftCommits: LeftCommits;
  /** Returns the time left for the current request, if there is one. */
  leftMs?: () => number;
}

type Callback = (...outcome: unknown[]) => void;
type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/**
 * Creates a client class that limits the duration of each query. At the limit, the client cancels the query on the
 * server and closes the connection, so that the pool never reuses a connection whose query is still running. A
 * statement that may commit isn't canceled (`LeftCommits`). Behind a pooler, it only closes the connection, because
 * PgBouncer 1.18, which many systems ship, fails an assertion and crashes when queries are canceled through it under
 * load. The server then ends the query because of client_connection_check_interval or its own limits.
 */
export function boundedClient(bounds: Bounds): typeof pg.Client {
  const { answerMs, ssl, session, leftCommits, leftMs = () => answerMs } = bounds;
  return class BoundedClient extends pg.Client {
    /** Overrides all of pg's overloads. `never` is the only return type compatible with each of them. */
    override query(...args: unknown[]): never {
      const waitMs = Math.min(answerMs, leftMs());
      if (waitMs <= 0) return tooLate(args) as never;
      const query: Query = super.query;
      const timer = setTimeout(() => this.#giveUp(textOf(args[0])), waitMs);
      const stop = (): void => clearTimeout(timer);
      const at = args.findLastIndex((arg) => typeof arg === 'function');
      if (at !== -1) {
        const callback = args[at] as Callback;
        args[at] = (...outcome: unknown[]) => {
          stop();
          callback(...outcome);
        };
        return query.apply(this, args) as never;
      }
      const answer = query.apply(this, args) as Promise<unknown>;
      answer.then(stop, stop);
      return answer as never;
    }

    #giveUp(text: string): void {
      const server = this as unknown as Cancellable;
      if (!session.isPooled) {
        if (!mayCommit(text, this.getTransactionStatus() === 'T')) cancelQuery(server, ssl);
        else if (server.processID !== null) leftCommits.add(server.processID);
      }
      this.connection.stream.destroy(new NoAnswerError());
    }
  };
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown } | null)?.text);

/** Fails a query because the request has run out of time. */
function tooLate(args: unknown[]): unknown {
  const callback = args.findLast((arg) => typeof arg === 'function') as Callback | undefined;
  if (callback === undefined) return Promise.reject(new NoAnswerError());
  process.nextTick(callback, new NoAnswerError());
  return undefined;
}
