import pg from 'pg';
import { NoAnswerError } from '../database-errors.ts';
import { type Cancellable, cancelQuery } from './cancel-query.ts';
import { type LeftCommits, mayCommit } from './left-commits.ts';
import type { Session } from './session.ts';

interface Bounds {
  /** Longest time of a query. */
  answerMs: number;
  ssl: pg.ClientConfig['ssl'];
  session: Session;
  leftCommits: LeftCommits;
  /** Time left for the current request, when there is one. */
  leftMs?: () => number;
}

type Callback = (...outcome: unknown[]) => void;
type Query = (this: pg.Client, ...words: unknown[]) => unknown;

/**
 * Connections that wait for an answer so long and no longer: then the query is cancelled on the server, and the
 * connection is closed, so that its pool never hands it to somebody else with a query still running. What may be a
 * commit is left to its end (`LeftCommits`). Behind a pooler it is closed alone: PgBouncer 1.18, which many systems bring,
 * ends with an assertion when queries are cancelled through it under load. The server notices by
 * client_connection_check_interval, or by its own limits.
 */
export function boundedClient(bounds: Bounds): typeof pg.Client {
  const { answerMs, ssl, session, leftCommits, leftMs = () => answerMs } = bounds;
  return class BoundedClient extends pg.Client {
    /** Called in all the ways that pg has; `never` is the one type that fits what each of them returns. */
    override query(...words: unknown[]): never {
      const waitMs = Math.min(answerMs, leftMs());
      if (waitMs <= 0) return tooLate(words) as never;
      const query: Query = super.query;
      const timer = setTimeout(() => this.#giveUp(textOf(words[0])), waitMs);
      const stop = (): void => clearTimeout(timer);
      const at = words.findLastIndex((word) => typeof word === 'function');
      if (at !== -1) {
        const callback = words[at] as Callback;
        words[at] = (...outcome: unknown[]) => {
          stop();
          callback(...outcome);
        };
        return query.apply(this, words) as never;
      }
      const answer = query.apply(this, words) as Promise<unknown>;
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

/** In all the ways in which pg takes a statement. */
const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown } | null)?.text);

/** The request's time was over before it asked. */
function tooLate(words: unknown[]): unknown {
  const callback = words.findLast((word) => typeof word === 'function') as Callback | undefined;
  if (callback === undefined) return Promise.reject(new NoAnswerError());
  process.nextTick(callback, new NoAnswerError());
  return undefined;
}
