import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentedApi, Operation } from '../documented-answers.ts';
import { type Random, randomOf } from '../simulation/random.ts';
import { type Credential, type Draft, draftOf, toBytes } from './draft.ts';
import type { Installation } from './installation.ts';
import { problemOf } from './judge.ts';
import { KeptSocket, type ReadAnswer } from './kept-socket.ts';
import { spoils } from './spoil.ts';
import { ValidValues } from './valid-value.ts';

/** A request that was not answered as it should be. */
export interface Offence {
  index: number;
  /** What was done to a good request, the least with which it is answered so. */
  spoiledBy: readonly string[];
  problem: string;
  /** As it was sent. */
  request: string;
}

export interface Sent {
  /** The first of each kind, some at most. */
  offences: Offence[];
  requests: number;
  /** How often one was sent again because the machine was busy. */
  repeated: number;
  /** How often each operation was answered with what. */
  statuses: Map<string, Map<number, number>>;
  /** Milliseconds that each operation took. */
  tookMs: Map<string, number>;
}

const lanes = 12;
const repetitions = 5;
const maxOffences = 10;
/** Problems that begin alike are of one kind. */
const kindLength = 60;
const spoilNames = Object.keys(spoils);
/** Where a request's choices come from. */
const places = { operation: 0, draft: 1, spoils: 2 };

/** Sends the requests of these numbers, which a seed makes; stops when some are not answered as they should be. */
export async function sendHostile(
  installation: Installation,
  { seed, from, to }: { seed: number; from: number; to: number },
): Promise<Sent> {
  const sender = new Sender(installation, seed);
  let next = from;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const socket = new KeptSocket(installation.server.url);
      while (next < to && sender.sent.offences.length < maxOffences) {
        const index = next;
        next += 1;
        await sender.send(socket, index);
      }
      socket.close();
    }),
  );
  const { offences } = sender.sent;
  for (const [at, offence] of offences.entries()) offences[at] = await sender.shrink(offence);
  return sender.sent;
}

interface Asked {
  draft: Draft;
  bytes: Buffer;
  answer: ReadAnswer | null;
  problem: string | null;
}

class Sender {
  readonly sent: Sent = { offences: [], requests: 0, repeated: 0, statuses: new Map(), tookMs: new Map() };
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
    const chosen = this.#spoilsOf(index);
    const { draft, bytes, answer, problem } = await this.#ask(socket, index, chosen);
    const { operationId } = draft.operation;
    const { statuses, tookMs } = this.sent;
    this.sent.requests += 1;
    const counts = statuses.get(operationId) ?? new Map<number, number>();
    statuses.set(operationId, counts);
    const status = answer?.status ?? 0;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    tookMs.set(operationId, (tookMs.get(operationId) ?? 0) + performance.now() - startedAt);
    const kind = problem?.slice(0, kindLength);
    if (problem === null || this.sent.offences.some((known) => known.problem.slice(0, kindLength) === kind))
      return;
    this.sent.offences.push({ index, spoiledBy: chosen, problem, request: shown(bytes) });
  }

  /** Leaves out what it goes wrong without. */
  async shrink(offence: Offence): Promise<Offence> {
    const socket = new KeptSocket(this.#installation.server.url);
    let shrunk = offence;
    for (const each of offence.spoiledBy) {
      const fewer = shrunk.spoiledBy.filter((other) => other !== each);
      const { problem, bytes } = await this.#ask(socket, offence.index, fewer);
      if (problem !== null)
        shrunk = { index: offence.index, spoiledBy: fewer, problem, request: shown(bytes) };
    }
    socket.close();
    return shrunk;
  }

  async #ask(socket: KeptSocket, index: number, chosen: readonly string[]): Promise<Asked> {
    const { pool } = this.#installation;
    const { api, operation, credential } = this.#choose(randomOf(this.#seed, index, places.operation));
    const values = this.#values.get(api);
    if (values === undefined) throw new Error('an API without values');
    const draft = draftOf(operation, credential, {
      values,
      pool,
      random: randomOf(this.#seed, index, places.draft),
    });
    for (const name of chosen)
      spoils[name]?.(draft, randomOf(this.#seed, index, places.spoils, spoilNames.indexOf(name)), pool);
    const bytes = toBytes(draft, this.#host);
    const answer = await this.#askPatiently(socket, bytes, draft.method === 'HEAD');
    const body = parsed(answer);
    if (answer?.status === 200) pool.learn(body, nounOf(draft));
    if (answer !== null) learnCursor(answer, pool);
    return { draft, bytes, answer, problem: problemOf(this.#installation.apis, draft, answer, body) };
  }

  /** A machine that is busy says 503 to anything; what makes the database busy by itself is answered so again and again. */
  async #askPatiently(socket: KeptSocket, bytes: Buffer, isHead: boolean): Promise<ReadAnswer | null> {
    for (let left = repetitions; ; left -= 1) {
      // A connection that is kept may be ended from the other side at this very moment.
      const answer = (await socket.ask(bytes, isHead)) ?? (await socket.ask(bytes, isHead));
      if (answer?.status !== 503 || left === 0) return answer;
      this.sent.repeated += 1;
      await sleep(1_000);
    }
  }

  #choose(random: Random): { api: DocumentedApi; operation: Operation; credential: Credential } {
    const api = random.pick(this.#installation.apis);
    const operation = random.pick(api.operations);
    return { api, operation, credential: this.#installation.credentialFor(operation.path, random) };
  }

  #spoilsOf(index: number): readonly string[] {
    const random = randomOf(this.#seed, index, places.spoils);
    const count = random.pick([0, 1, 1, 1, 1, 2, 2, 3, 5]);
    return [...new Set(Array.from({ length: count }, () => random.pick(spoilNames)))];
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
  return bytes.length > shownBytes ? `${text} and ${bytes.length - shownBytes} bytes more` : text;
};
