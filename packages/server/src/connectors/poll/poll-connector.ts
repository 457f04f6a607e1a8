import { Refusal } from '../../platform/refusal.ts';
import {
  type ConnectorKey,
  type ConnectorRow,
  connectorColumns,
  openSecrets,
  settingsOf,
} from '../connector-record.ts';
import { type PolledProvider, type ReportPage, Unreadable } from '../provider.ts';
import { polledProviderOf } from '../providers/all-providers.ts';
import { storeOrders } from '../receive/store-events.ts';
import { PollProblem } from './fetch-report.ts';
import type { PollDeps } from './poll-deps.ts';

/** Time between two polls. Steam recommends at most one a minute. */
const everyMs = 60_000;
/** Time after which another process takes over the poll of a process that died, longer than a poll of all pages takes. */
const leaseMs = 600_000;
/** Part of the report that every poll reads again, because orders may be reported late. */
const overlapMs = 86_400_000;
const pageSize = 1_000;
/** Size of a page if a usual one is full of orders with one time. */
const largePageSize = 10_000;
/** Pages that a poll reads. The next one continues. */
const maxPages = 20;
const maxBackoffMs = 1_800_000;
const maxRetryAfterMs = 3_600_000;

const fullText =
  'Too many events of this connector are waiting. The report is read again once they have been worked on.';

/**
 * Polls a connector once, unless another process does: reads what changed in the provider's report, and stores it as events, as if the
 * provider had sent it. Progress is saved after each page.
 * @returns the number of events that were stored
 */
export async function pollConnector(
  deps: PollDeps,
  key: ConnectorKey,
  stopping: AbortSignal,
): Promise<number> {
  const leaseEnd = new Date(deps.clock.now().getTime() + leaseMs);
  const connector = await claim(deps, key, leaseEnd);
  if (connector === null) return 0;
  let stored = 0;
  try {
    const isMoreLeft = await readPages(deps, { connector, leaseEnd, stopping }, (count) => {
      stored += count;
    });
    const now = deps.clock.now();
    await finish(deps, connector, leaseEnd, {
      polled_at: now,
      next_poll_at: isMoreLeft ? now : new Date(now.getTime() + everyMs),
      ...(!isMoreLeft && { poll_from: null }),
      ...{ poll_failing_since: null, poll_failures: 0, poll_problem: null },
    });
    deps.onPolled('read');
  } catch (error) {
    if (stopping.aborted) await finish(deps, connector, leaseEnd, { next_poll_at: null });
    else await fail(deps, connector, { leaseEnd, error });
  }
  return stored;
}

async function claim(
  { db, clock }: PollDeps,
  { publisherId, connectorId }: ConnectorKey,
  leaseEnd: Date,
): Promise<ConnectorRow | null> {
  const row = await db
    .updateTable('connector')
    .set({ next_poll_at: leaseEnd })
    .where('publisher_id', '=', publisherId)
    .where('connector_id', '=', connectorId)
    .where('removed_at', 'is', null)
    .where('paused_at', 'is', null)
    .where('secret', 'is not', null)
    .where((eb) => eb.or([eb('next_poll_at', 'is', null), eb('next_poll_at', '<=', clock.now())]))
    .returning(connectorColumns)
    .executeTakeFirst();
  return row ?? null;
}

interface Poll {
  connector: ConnectorRow;
  leaseEnd: Date;
  stopping: AbortSignal;
}

/** Reads pages until one isn't full. @returns true if more pages are left */
async function readPages(deps: PollDeps, poll: Poll, onStored: (events: number) => void): Promise<boolean> {
  const { connector, leaseEnd, stopping } = poll;
  const provider = polledProviderOf(connector.provider);
  const [secret] = openSecrets(deps.sealer, connector);
  if (provider === null || secret === undefined) throw new Error('the connector can not be polled');
  const settings = settingsOf(connector);
  let until = connector.reported_until;
  let since = connector.poll_from ?? startOf(connector);
  let size = pageSize;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const request = provider.pageRequest(settings, { key: secret, since, size });
    const page = readPage(provider, await deps.reports.fetch(request, stopping));
    const { db, sealer, clock } = deps;
    const stored = await storeOrders({ db, sealer, now: clock.now() }, connector, page.orders);
    onStored(stored.length);
    const last = latestOf(page, clock.now());
    if (last !== null && (until === null || last > until)) until = last;
    if (page.count < size) {
      await finish(deps, connector, leaseEnd, { reported_until: until });
      return false;
    }
    requireOrder(page);
    const isStuck = last === null || last <= since;
    if (isStuck && size === largePageSize)
      throw new PollProblem(`More than ${largePageSize} orders of the report have the same time.`);
    size = isStuck ? largePageSize : pageSize;
    if (last !== null && !isStuck) since = last;
    await finish(deps, connector, leaseEnd, { reported_until: until, poll_from: since });
  }
  return true;
}

/** Returns the time from which a poll reads. No poll reads orders from before the connector was added. */
const startOf = ({ reported_until, created_at }: ConnectorRow): Date =>
  reported_until === null
    ? created_at
    : new Date(Math.max(created_at.getTime(), reported_until.getTime() - overlapMs));

function readPage(provider: PolledProvider, body: unknown): ReportPage {
  try {
    return provider.readPage(body);
  } catch (error) {
    if (error instanceof Unreadable) throw new PollProblem(error.message);
    throw error;
  }
}

/** Returns the latest change in a page, at most now, in whole seconds, as the report is requested by. */
function latestOf({ changedAt }: ReportPage, now: Date): Date | null {
  if (changedAt.length === 0) return null;
  const latest = Math.max(...changedAt.map((each) => each.getTime()));
  return new Date(Math.floor(Math.min(latest, now.getTime()) / 1_000) * 1_000);
}

/** Checks that a full page is in order of time, because the next page continues at its end. @throws PollProblem */
function requireOrder({ changedAt }: ReportPage): void {
  for (const [index, each] of changedAt.entries()) {
    const before = changedAt[index - 1];
    if (before !== undefined && before > each)
      throw new PollProblem(
        'The orders of the report are not in order of time, so that the next page can’t be found.',
      );
  }
}

type PollColumns = Partial<
  Pick<
    ConnectorRow,
    | 'next_poll_at'
    | 'polled_at'
    | 'reported_until'
    | 'poll_from'
    | 'poll_failing_since'
    | 'poll_failures'
    | 'poll_problem'
  >
>;

/** Saves the state of a poll, unless another process has taken it over, or the connector was changed in the meantime. */
async function finish(
  { db }: PollDeps,
  { publisher_id, connector_id }: ConnectorRow,
  leaseEnd: Date,
  columns: PollColumns,
): Promise<void> {
  await db
    .updateTable('connector')
    .set(columns)
    .where('publisher_id', '=', publisher_id)
    .where('connector_id', '=', connector_id)
    .where('next_poll_at', '=', leaseEnd)
    .execute();
}

async function fail(
  deps: PollDeps,
  connector: ConnectorRow,
  { leaseEnd, error }: { leaseEnd: Date; error: unknown },
): Promise<void> {
  const isFull = error instanceof Refusal && error.code === 'Unavailable';
  if (!(error instanceof PollProblem) && !isFull) {
    await finish(deps, connector, leaseEnd, { next_poll_at: new Date(deps.clock.now().getTime() + everyMs) });
    throw error;
  }
  const now = deps.clock.now();
  const times = connector.poll_failures + 1;
  const backoffMs = Math.min(maxBackoffMs, everyMs * 2 ** Math.min(times - 1, 10));
  const askedMs = error instanceof PollProblem ? Math.min(error.retryAfterMs ?? 0, maxRetryAfterMs) : 0;
  await finish(deps, connector, leaseEnd, {
    next_poll_at: new Date(now.getTime() + Math.max(backoffMs, askedMs)),
    poll_failing_since: connector.poll_failing_since ?? now,
    poll_failures: times,
    poll_problem: isFull ? fullText : error.message.slice(0, 500),
  });
  deps.onPolled('failed');
}
