import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './attribution-process.ts';
import { purchase } from './fixtures.ts';

const path = '/v1/attributions/transactions';

/** Clients that are to notice nothing. */
export interface SteadyLoad {
  /** Purchases that were answered with 200. */
  readonly saved: readonly string[];
  /** Those of them that were given back. */
  readonly refunded: readonly string[];
  /** Every other answer, and connections that were lost. */
  readonly refused: readonly string[];
  /** Resolves when so many more were saved. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface LoadOptions {
  clients?: number;
  /** Whether every tenth purchase is given back. */
  refunds?: boolean;
}

/**
 * Clients that record purchases, one after another, at the servers that are told; they know what was answered. While
 * there is none they wait, as behind a balancer that has nobody to ask.
 */
export function startSteadyLoad(
  key: string,
  servers: () => readonly string[],
  { clients = 4, refunds = false }: LoadOptions = {},
): SteadyLoad {
  const saved: string[] = [];
  const refunded: string[] = [];
  const refused: string[] = [];
  let isSending = true;
  const send = async (method: string, url: string, body: object): Promise<boolean> => {
    const answer = await fetch(url, {
      method,
      headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      (error: Error) => ({ status: 0, text: String(error.cause ?? error) }),
    );
    if (answer.status !== 200) refused.push(`${method} ${answer.status} ${answer.text}`);
    return answer.status === 200;
  };
  const client = async (number: number): Promise<void> => {
    for (let turn = 0; isSending; turn += 1) {
      const urls = servers();
      const url = urls[(turn + number) % urls.length];
      if (url === undefined) {
        await sleep(10);
        continue;
      }
      const { transactionId, ...rest } = purchase({ transactionId: `c${number}-${turn}` });
      if (await send('POST', url + path, { transactionId, ...rest })) {
        saved.push(transactionId);
        const back = refunds && turn % 10 === 9 && servers()[0];
        if (back && (await send('PATCH', `${back + path}/${transactionId}`, { action: 'Refund' })))
          refunded.push(transactionId);
      }
      await sleep(10);
    }
  };
  const sending = Array.from({ length: clients }, (_, number) => client(number));
  return {
    saved,
    refunded,
    refused,
    async more(count) {
      const before = saved.length;
      await until(`${count} more purchases`, () => saved.length >= before + count);
    },
    async stop() {
      isSending = false;
      await Promise.all(sending);
    },
  };
}
