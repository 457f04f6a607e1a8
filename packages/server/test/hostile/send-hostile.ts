import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentedApi, Operation } from '../documented-answers.ts';
import { type Random, randomOf } from '../simulation/random.ts';
import { type Credential, type Draft, draftOf, toBytes } from './draft.ts';
import type { Installation } from './installation.ts';
import { problemOf } from './judge.ts';
import { KeptSocket, type ReadAnswer } from './kept-socket.ts';
import { mutations } from './mutations.ts';
import { ValidValues } from './valid-value.ts';

export interface Failure {
  index: number;
  /** Smallest set of mutations that still makes a valid request fail. */
  mutatedBy: readonly string[];
  problem: string;
  request: string;
}

export interface Sent {
  /** First failures of each kind, up to a limit. */
  failures: Failure[];
  requests: number;
  /** Number of retries because the machine was busy. */
  retried: number;
  statuses: Map<string, Map<number, number>>;
  /** Total time per operation, in milliseconds. */
  tookMs: Map<string, number>;
}

const lanes = 12;
const maxRetries = 5;
const maxFailures = 10;
/** Number of leading characters that two problems of the same kind have in common. */
const kindLength = 60;
const mutationNames = Object.keys(mutations);
/** Numbers that keep a request's random choices independent of each other. */
const places = { operation: 0, draft: 1, mutations: 2 };

/**
 * Sends the requests whose numbers are in a range. The seed determines each request. Stops after too many
 * failures.
 */
export async function sendHostile(
  installation: Installation,
  { seed, from, to }: { seed: number; from: number; to: number },
): Promise<Sent> {
  const sender = new Sender(installation, seed);
  let next = from;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const socket = new KeptSocket(installation.server.url);
      while (next < to && sender.sent.failures.length < maxFailures) {
        const index = next;
        next += 1;
        await sender.send(socket, index);
      }
      socket.close();
    }),
  );
  const { failures } = sender.sent;
  for (const [at, failure] of failures.entries()) failures[at] = await sender.shrink(failure);
  return sender.sent;
}

interface Exchange {
  draft: Draft;
  bytes: Buffer;
  answer: ReadAnswer | null;
  problem: string | null;
}

class Sender {
  readonly sent: Sent = { failures: [], requests: 0, retried: 0, statuses: new Map(), tookMs: new Map() };
  readonly #installation: Installation;
  readonly #seed: number;
  readonly #host: string;
  readonly #values: ReadonlyMap<DocumentedApi, ValidValues>;

  constructor(installation: Installation, seed: number) {
    this.#installation = installation;
    this.#seed = seed;
    this.#host = new URL(installation.server.url).host;
    this.#values = new Map(installation.apis.map((api) => [api, new ValidValues(api, installation.pool)]));
  }

  async send(socket: KeptSocket, index: number): Promise<void> {
    const startedAt = performance.now();
    const chosen = this.#mutationsOf(index);
    const { draft, bytes, answer, problem } = await this.#exchange(socket, index, chosen);
    const { operationId } = draft.operation;
    const { statuses, tookMs } = this.sent;
    this.sent.requests += 1;
    const counts = statuses.get(operationId) ?? new Map<number, number>();
    statuses.set(operationId, counts);
    const status = answer?.status ?? 0;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    tookMs.set(operationId, (tookMs.get(operationId) ?? 0) + performance.now() - startedAt);
    const kind = problem?.slice(0, kindLength);
    if (problem === null || this.sent.failures.some((known) => known.problem.slice(0, kindLength) === kind))
      return;
    this.sent.failures.push({ index, mutatedBy: chosen, problem, request: shown(bytes) });
  }

  async shrink(failure: Failure): Promise<Failure> {
    const socket = new KeptSocket(this.#installation.server.url);
    let shrunk = failure;
    for (const each of failure.mutatedBy) {
      const fewer = shrunk.mutatedBy.filter((other) => other !== each);
      const { problem, bytes } = await this.#exchange(socket, failure.index, fewer);
      if (problem !== null)
        shrunk = { index: failure.index, mutatedBy: fewer, problem, request: shown(bytes) };
    }
    socket.close();
    return shrunk;
  }

  async #exchange(socket: KeptSocket, index: number, chosen: readonly string[]): Promise<Exchange> {
    const { pool } = this.#installation;
    const { api, operation, credential } = this.#choose(randomOf(this.#seed, index, places.operation));
    const values = this.#values.get(api);
    if (values === undefined) throw new Error('the API has no generated values');
    const draft = draftOf(operation, credential, {
      values,
      pool,
      random: randomOf(this.#seed, index, places.draft),
    });
    for (const name of chosen)
      mutations[name]?.(
        draft,
        randomOf(this.#seed, index, places.mutations, mutationNames.indexOf(name)),
        pool,
      );
    const bytes = toBytes(draft, this.#host);
    const answer = await this.#sendPatiently(socket, bytes, draft.method === 'HEAD');
    const body = parsed(answer);
    if (answer?.status === 200) pool.learn(body, nounOf(draft));
    if (answer !== null) learnCursor(answer, pool);
    return { draft, bytes, answer, problem: problemOf(this.#installation.apis, draft, answer, body) };
  }

  /**
   * Sends a request, retrying after a 503. A busy machine may answer any request with 503. A request that itself
   * overloads the database receives 503 every time.
   */
  async #sendPatiently(socket: KeptSocket, bytes: Buffer, isHead: boolean): Promise<ReadAnswer | null> {
    for (let left = maxRetries; ; left -= 1) {
      // The service may have just closed the keep-alive connection.
      const answer = (await socket.send(bytes, isHead)) ?? (await socket.send(bytes, isHead));
      if (answer?.status !== 503 || left === 0) return answer;
      this.sent.retried += 1;
      await sleep(1_000);
    }
  }

  #choose(random: Random): { api: DocumentedApi; operation: Operation; credential: Credential } {
    const api = random.pick(this.#installation.apis);
    const operation = random.pick(api.operations);
    return { api, operation, credential: this.#installation.credentialFor(operation.path, random) };
  }

  #mutationsOf(index: number): readonly string[] {
    const random = randomOf(this.#seed, index, places.mutations);
    const count = random.pick([0, 1, 1, 1, 1, 2, 2, 3, 5]);
    return [...new Set(Array.from({ length: count }, () => random.pick(mutationNames)))];
  }
}

function parsed(answer: ReadAnswer | null): unknown {
  if (answer === null || answer.headers.get('content-type')?.startsWith('application/json') !== true)
    return undefined;
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const nounOf = ({ operation: { path } }: Draft): string =>
  path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';

function learnCursor({ headers }: ReadAnswer, pool: Installation['pool']): void {
  const cursor = headers.get('x-next-cursor');
  if (cursor !== null) pool.learn({ cursor }, '');
}

const shownBytes = 4_000;

const shown = (bytes: Buffer): string => {
  const text = JSON.stringify(bytes.toString('latin1', 0, shownBytes));
  return bytes.length > shownBytes ? `${text} and ${bytes.length - shownBytes} more bytes` : text;
};
