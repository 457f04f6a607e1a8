import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { checkConnectorOptions } from '../../../../client/@tanstack/react-query.gen.ts';
import type {
  CheckedConnectorEvent,
  Connector,
  ConnectorChecks,
  ListedConnector,
} from '../../../../client/types.gen.ts';
import { usePublisher } from '../../../session/session.ts';
import { useReloadConnectors } from '../use-connectors.ts';

const everyMs = 2_000;
/** Time after which waiting stops, so that a forgotten tab sends no more requests. */
const maxWaitMs = 600_000;

export interface Check {
  state: 'idle' | 'waiting' | 'stopped' | 'passed';
  /** True once an event from the provider passed all checks. */
  isPassed: boolean;
  /** True while only a sample passed them, which the service signs itself. */
  isSamplePassed: boolean;
  /** True once a request from the provider arrived, even if it was rejected. */
  hasArrived: boolean;
  /** True once an order from the provider had the code of a creator. */
  isCodeFound: boolean;
  checks: ConnectorChecks['checks'];
  event: CheckedConnectorEvent | null;
  error: unknown;
  /** Starts waiting for a new event. */
  start(): void;
  /** Starts waiting for an event that is signed with a secret that was just saved. */
  startAfterSecret(saved: Connector): void;
}

/** Waits for a connector's next event, and shows how far it has come. A hidden page sends no requests. */
export function useCheck(connector: ListedConnector): Check {
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const { connectorId } = connector;
  const [started, setStarted] = useState<{ since: string; run: number } | null>(null);
  const [isOver, setOver] = useState(false);
  const since = started?.since ?? '';
  const { data, error } = useQuery({
    ...checkConnectorOptions({ path: { publisherId, connectorId }, query: { since } }),
    enabled: started !== null,
    refetchInterval: ({ state }) => (isOver || hasPassed(state.data) ? false : everyMs),
  });
  const isPassed = hasPassed(data);
  useEffect(() => {
    if (started === null || isPassed) return;
    const timer = setTimeout(() => setOver(true), maxWaitMs);
    return () => clearTimeout(timer);
  }, [started, isPassed]);
  const progress = `${data?.event?.eventId} ${data?.checks.map(({ state }) => state).join()}`;
  // The connector's state and its list of events change with the progress.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step of the progress
  useEffect(() => {
    if (data !== undefined) void reload();
  }, [progress]);
  const startAt = (at: string): void => {
    setOver(false);
    setStarted((before) => ({ since: at, run: (before?.run ?? 0) + 1 }));
  };
  return {
    state: started === null ? 'idle' : isPassed ? 'passed' : isOver ? 'stopped' : 'waiting',
    isPassed,
    isSamplePassed: areAllPassed(data) && !isPassed,
    hasArrived:
      connector.lastEventAt !== null || connector.refused !== null || isPassedByProvider(data, 'arrived'),
    isCodeFound: connector.lastRecordedAt !== null || isPassedByProvider(data, 'code'),
    checks: data?.checks ?? [],
    event: data?.event ?? null,
    error,
    start: () => startAt(latest([startOf(connector), after(data?.event?.receivedAt)])),
    startAfterSecret: (saved) => startAt(latest([startOf(connector), after(saved.refused?.at)])),
  };
}

const areAllPassed = (data: ConnectorChecks | undefined): boolean =>
  data?.checks.every(({ state }) => state === 'passed') ?? false;

/** Returns whether a check passed for what the provider sent. A sample says nothing about the provider's settings. */
const isPassedByProvider = (
  data: ConnectorChecks | undefined,
  name: ConnectorChecks['checks'][number]['check'],
): boolean =>
  data?.event?.isSample !== true &&
  data?.checks.some(({ check, state }) => check === name && state === 'passed') === true;

const hasPassed = (data: ConnectorChecks | undefined): boolean =>
  areAllPassed(data) && data?.event?.isSample === false;

/**
 * Returns the time at which a wait starts: after the latest event, but before a rejected request that came since. All
 * times are the service's, because the reader's clock may be wrong.
 */
function startOf({ createdAt, lastEventAt, secretChangeStartedAt, refused }: ListedConnector): string {
  const isBeforeSecret = refused?.reason === 'NoSecret';
  return latest([
    createdAt,
    after(lastEventAt),
    after(secretChangeStartedAt),
    isBeforeSecret ? after(refused.at) : null,
  ]);
}

const after = (at: string | null | undefined): string | null =>
  at ? new Date(Date.parse(at) + 1).toISOString() : null;

const latest = (times: readonly (string | null)[]): string =>
  times.reduce<string>((last, each) => (each !== null && each > last ? each : last), '');
