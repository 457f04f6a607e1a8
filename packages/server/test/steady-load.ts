import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './attribution-process.ts';
import { purchase } from './fixtures.ts';

const path = '/v1/attributions/transactions';

export interface SteadyLoad {
  /** Purchases that got a 200 response. */
  readonly saved: readonly string[];
  readonly refunded: readonly string[];
  /** All other responses and lost connections. */
  readonly refused: readonly string[];
  /** Resolves when `count` more purchases are saved. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface LoadOptions {
  clients?: number;
  /** True to refund every tenth purchase. */
  refunds?: boolean;
}

/**
 * Starts clients that record purchases one after another at the given servers and store the responses. While
 * there is no server, the clients wait, as they would behind a load balancer without targets.
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
