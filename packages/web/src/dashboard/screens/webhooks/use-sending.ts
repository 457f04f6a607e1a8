import { useState } from 'react';
import { replayDeliveries, testEndpoint } from '../../../client/sdk.gen.ts';
import type { Replay, Replayed, TestEndpointData } from '../../../client/types.gen.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';

export type TestKind = NonNullable<NonNullable<TestEndpointData['query']>['kind']>;

/** Events that were sent or queued, and the choice that they came from. */
export interface Sent {
  choice: string;
  /** Number of deliveries. */
  count: number;
  /** First of the events, in order of sending. */
  eventIds: readonly string[];
  /** Number of deliveries that were being sent already. */
  underWay: number;
  /** Beginning of the response to a test event. */
  answer: string;
}

/** Maximum number of deliveries that are shown. It is also the most that the service names per batch. */
const maxShown = 50;

/** Sends events to an endpoint, one choice at a time. */
export function useSending(endpointId: string) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  const [sent, setSent] = useState<Sent | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (choice: string, work: () => Promise<Omit<Sent, 'choice'>>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      setSent({ choice, ...(await work()) });
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
    await reload();
  };
  const sendTest = async (kind: TestKind): Promise<Omit<Sent, 'choice'>> => {
    const path = { publisherId, endpointId };
    const { data } = await testEndpoint({ path, query: { kind }, throwOnError: true });
    return { count: 1, eventIds: [data.eventId], underWay: 0, answer: data.answer };
  };
  /** Sends past events in batches of 10,000. */
  const sendPast = async (replay: Replay): Promise<Omit<Sent, 'choice'>> => {
    const eventIds: string[] = [];
    let [count, underWay] = [0, 0];
    let after: string | null = '';
    while (after !== null) {
      const body: Replay = { ...replay, ...(after !== '' && { after }) };
      const data: Replayed = (await replayDeliveries({ path: { publisherId }, body, throwOnError: true }))
        .data;
      count += data.replayed;
      underWay += data.underWay;
      eventIds.push(...data.firstEventIds.slice(0, maxShown - eventIds.length));
      after = data.next;
    }
    return { count, eventIds, underWay, answer: '' };
  };
  return {
    sent,
    isBusy,
    error,
    sendTest: (choice: string, kind: TestKind) => send(choice, () => sendTest(kind)),
    sendPast: (choice: string, replay: Replay) => send(choice, () => sendPast(replay)),
  };
}
