import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface Receivers {
  /** @param behavior ok, hang, reset, redirect, drip, 429 or 500 */
  url(behavior: string, name: string): string;
  /** Returns the number of distinct events that arrived with a tag, and the number of repeated events. */
  count(tag: string): Promise<{ count: number; repeated: number }>;
  /** Returns, for each event with a tag, the milliseconds from createdAt to arrival. */
  latencies(tag: string): Promise<number[]>;
  stop(): void;
}

/** Starts receivers in their own process, so that they and the benchmark do not delay each other. */
export async function startReceivers(): Promise<Receivers> {
  const child = fork(new URL('./receiver-process.ts', import.meta.url));
  const { port } = await answer<{ port: number }>(child);
  const ask = <Answer>(question: object): Promise<Answer> => {
    child.send(question);
    return answer<Answer>(child);
  };
  return {
    url: (behavior, name) => `http://127.0.0.1:${port}/${behavior}/${name}`,
    count: (tag) => ask({ count: tag }),
    latencies: async (tag) => (await ask<{ latencies: number[] }>({ latencies: tag })).latencies,
    stop: () => child.disconnect(),
  };
}

async function answer<Answer>(child: ChildProcess): Promise<Answer> {
  const [message] = await once(child, 'message');
  return message as Answer;
}
