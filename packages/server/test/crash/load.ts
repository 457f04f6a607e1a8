import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, count, type Journal, pick, type RecordedRow, type SentRow } from './journal.ts';

export interface Target {
  /** Addresses of the API processes. Some processes may be down. */
  urls(): readonly string[];
  key: string;
}

export interface Clients {
  /** Stops sending new purchases. Open attempts continue until they have an outcome. */
  stopSending(): void;
  /** Abandons open attempts, so that `done` resolves soon. */
  giveUp(): void;
  done: Promise<void>;
}

const path = '/v1/attributions/transactions';
const codes = ['ALICE', 'BOB', 'alice'];
const requestTimeoutMs = 5_000;

/** Starts clients that send purchases and react to responses as the contract requires. */
export function startClients(
  journal: Journal,
  target: Target,
  random: () => number,
  { clients, pauseMs = 0 }: { clients: number; pauseMs?: number },
): Clients {
  let isSending = true;
  let isWaiting = true;
  /** transactionId that one client is already sending and another client will send, to create a race. */
  let contested: string | null = null;
  const client = async (index: number): Promise<void> => {
    for (let turn = 0; isSending; turn += 1) {
      const tag = `c${index}-${turn}`;
      const attempt: Attempt = { tag, rows: compose(tag), outcome: 'open', answer: null };
      journal.attempts.push(attempt);
      await resolve(attempt);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };

  function compose(tag: string): SentRow[] {
    const row = (transactionId: string): SentRow => ({
      transactionId,
      code: pick(random, codes),
      description: tag,
      subtotal: 1 + Math.floor(random() * 10_000),
      currency: 'USD',
      transactionDate: new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 1e9)).toISOString(),
    });
    const several = (max: number, name: (index: number) => string): SentRow[] =>
      Array.from({ length: 2 + Math.floor(random() * (max - 1)) }, (_, index) => row(name(index)));
    const dice = random();
    if (dice < 0.5) return [row(tag)];
    if (dice < 0.65) return several(5, () => `${tag}-split`);
    if (dice < 0.8) return several(40, (index) => `${tag}-${Math.floor(index / 2)}`);
    if (dice < 0.9) {
      // Two clients send the same new transactionId at the same time.
      const raced = contested ?? `raced-${tag}`;
      contested = contested === null ? raced : null;
      return random() < 0.5 ? [row(raced)] : [row(raced), row(`${tag}-beside-race`)];
    }
    const known = journal.attempts.slice(-500).filter(({ outcome }) => outcome !== 'open');
    if (known.length === 0) return [row(tag)];
    const earlier = pick(random, pick(random, known).rows).transactionId;
    return random() < 0.5 ? [row(earlier)] : [row(`${tag}-new`), row(earlier)];
  }

  /**
   * Sends a request until its outcome is known from a 200, from a 409, or from a GET after an inconclusive
   * response. A retry may get a 409 because of its own rows, so a GET then checks whose rows are saved.
   */
  async function resolve(attempt: Attempt): Promise<void> {
    const { rows } = attempt;
    const isOnlyPossibleOwner = rows.every(({ transactionId }) => transactionId.startsWith(attempt.tag));
    let isUnclear = false;
    while (isWaiting) {
      const answer = await send(rows);
      if (answer === null) {
        isUnclear = true;
        if (await isSavedAs(attempt)) {
          count(journal, 'saved, found by GET');
          attempt.outcome = 'saved';
          return;
        }
        await sleep(20 + random() * 80);
        continue;
      }
      if (answer.status === 200) {
        count(journal, isUnclear ? 'saved by a retry' : 'saved at once');
        attempt.outcome = 'saved';
        attempt.answer = answer.records;
        checkAnswer(attempt);
        return;
      }
      if (answer.status !== 409) {
        journal.violations.push(`${attempt.tag}: status ${answer.status}: ${answer.text}`);
        return;
      }
      if (isUnclear) {
        if (await isSavedAs(attempt)) {
          count(journal, 'saved, found by 409 and GET');
          attempt.outcome = 'saved';
          return;
        }
        if (!isWaiting) return;
      }
      if (isOnlyPossibleOwner && !isUnclear)
        journal.violations.push(`${attempt.tag}: 409 for transactionIds that no other request sent`);
      count(journal, 'refused with 409');
      attempt.outcome = 'refused';
      return;
    }
  }

  /**
   * Sends one request.
   * @returns null for an unknown outcome: a 503, a timeout or a lost connection
   */
  async function send(rows: readonly SentRow[]) {
    // Some clients time out within milliseconds, before they can know whether the purchase is saved.
    const timeoutMs = random() < 0.03 ? 1 + Math.floor(random() * 15) : requestTimeoutMs;
    try {
      const response = await fetch(pick(random, target.urls()) + path, {
        method: 'POST',
        headers: { 'x-shared-secret': target.key, 'content-type': 'application/json' },
        body: JSON.stringify(rows.length === 1 ? rows[0] : rows),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (response.status === 503) {
        count(journal, '503');
        return null;
      }
      const isRecorded = response.status === 200;
      return {
        status: response.status,
        text,
        records: isRecorded ? [JSON.parse(text)].flat().map(recordOf) : [],
      };
    } catch (error) {
      count(journal, (error as { name?: unknown }).name === 'TimeoutError' ? 'timeout' : 'connection lost');
      return null;
    }
  }

  /** Returns whether the saved rows are this request's. Retries the GET until a response arrives. */
  async function isSavedAs({ tag, rows }: Attempt): Promise<boolean> {
    while (isWaiting) {
      const saved = await getTransaction(target, rows[0]?.transactionId ?? '', pick(random, target.urls()));
      if (saved !== null) return saved[0]?.description === tag;
      await sleep(20 + random() * 80);
    }
    return false;
  }

  function checkAnswer({ tag, rows, answer }: Attempt): void {
    const asSent = answer?.map(({ transactionId, subtotal, description }) => [
      transactionId,
      subtotal,
      description,
    ]);
    const sent = rows.map(({ transactionId, subtotal, description }) => [
      transactionId,
      subtotal,
      description,
    ]);
    if (JSON.stringify(asSent) !== JSON.stringify(sent))
      journal.violations.push(`${tag}: a 200 with different rows than were sent`);
  }

  return {
    stopSending: () => {
      isSending = false;
    },
    giveUp: () => {
      isWaiting = false;
    },
    done: Promise.all(Array.from({ length: clients }, (_, index) => client(index))).then(() => undefined),
  };
}

/**
 * Reads a purchase's rows over HTTP.
 * @returns the saved rows; empty after a 404, null for an inconclusive response
 */
export async function getTransaction(
  target: Target,
  transactionId: string,
  url: string,
): Promise<RecordedRow[] | null> {
  try {
    const response = await fetch(`${url}${path}/${encodeURIComponent(transactionId)}`, {
      headers: { 'x-shared-secret': target.key },
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.text();
    if (response.status === 404) return [];
    return response.status === 200 ? JSON.parse(text).map(recordOf) : null;
  } catch {
    return null;
  }
}

const recordOf = ({ transaction }: { transaction: RecordedRow }): RecordedRow => transaction;
