import { purgeCounts } from './api-keys/counted/purge-counts.ts';
import { purgeRefused } from './api-keys/refused/purge-refused.ts';
import { forgetBuyers } from './attributions/forget-buyers.ts';
import { startBounties } from './bounties/complete/bounty-worker.ts';
import type { Service } from './composition.ts';
import { purgeBodies } from './connectors/events/end-bodies.ts';
import { purgeOrders } from './connectors/orders/end-orders.ts';
import { pollConnectors } from './connectors/poll/poll-connectors.ts';
import {
  eventDueSince,
  eventsAtOnce,
  eventsWait,
  publishersWithEvents,
} from './connectors/work/take-events.ts';
import { wakeMissingCodes } from './connectors/work/wake-missing-codes.ts';
import { workEvents } from './connectors/work/work-events.ts';
import { decisionsWait, publishersWithDecisions } from './members/applications/decision-mails.ts';
import { expireApplications } from './members/applications/expire-applications.ts';
import { purgeRemoved } from './members/purge-removed.ts';
import { purgeNotices } from './notices/end-notices.ts';
import { noticesWait, publishersWithNotices } from './notices/take-notices.ts';
import { purgeNotifications } from './notifications/purge-notifications.ts';
import { startNotifications } from './notifications/start-notifications.ts';
import { deleteAccounts } from './payees/delete-accounts.ts';
import { namedStatements } from './platform/database/connections/named-statements.ts';
import { dropDays } from './platform/database/days/drop-days.ts';
import { makeDays } from './platform/database/days/make-days.ts';
import { showBacklog } from './platform/telemetry/metrics.ts';
import { startPolling } from './platform/work/poll-for-work.ts';
import { startTurns } from './platform/work/publisher-turns.ts';
import { startReadingBacklog } from './platform/work/read-backlog.ts';
import { startRepeating, startWhenWoken } from './platform/work/repeat.ts';
import { reportFailures } from './platform/work/report-failures.ts';
import { announceEnds } from './player-codes/announce-ends.ts';
import { purgePlayerCodes } from './player-codes/erase-player-codes.ts';
import { sendDecisions } from './portal/applications/send-decisions.ts';
import { sendNotices } from './portal/notices/send-notices.ts';
import { eraseDue } from './privacy/requests/erase-due.ts';
import {
  announceDueSchedules,
  areAnnouncementsDue,
} from './revenue-shares/schedules/announce-due-schedules.ts';
import {
  hasAbandonedPayouts,
  publishersToResume,
  resumePayouts,
} from './settlement/payouts/resume-payouts.ts';
import {
  hasUnattendedRuns,
  publishersWithRuns,
  resumePayRun,
} from './settlement/payouts/runs/work-pay-run.ts';
import { startPosting } from './settlement/post/posting-worker.ts';
import { oldestUnposted, unattendedPayouts, unexplainedLedgers } from './settlement/read-backlog.ts';
import { issueStatements } from './settlement/statements/issue-statements.ts';
import { hasMonthsToClose, publishersToClose } from './settlement/statements/next-month.ts';
import {
  hasLedgersToVerify,
  publishersToVerify,
  runVerification,
} from './settlement/verify/jobs/run-verification.ts';
import { startDelivery } from './webhooks/delivery/delivery-worker.ts';
import { failingEndpoints } from './webhooks/delivery/read/failing-endpoints.ts';
import { createSender } from './webhooks/delivery/send/send-request.ts';
import { endpointsAtOnce } from './webhooks/delivery/take/due-endpoints.ts';
import { oldestDueAt } from './webhooks/delivery/take/waiting-endpoints.ts';
import { removeDeadListeners } from './webhooks/listening/remove-dead-listeners.ts';
import { purgeEvents } from './webhooks/purge-events.ts';

const dayMs = 86_400_000;
const purgeEveryMs = 3_600_000;
const pollEveryMs = 1_000;
const wakeCodesEveryMs = 60_000;
/** Pause between two looks for connectors that are due to be polled. Each of them is polled once a minute. */
const pollProvidersEveryMs = 5_000;
const announceEveryMs = 60_000;

export interface Workers {
  /** Called when this process has written data that may need processing. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Starts the background work of all slices. Each loop sleeps while idle. Writes by this process wake the loops, and one
 * poll per second finds work from other processes (docs/adr/0022-idle-and-isolation.md).
 * @param isSpread true if publishers are spread over several nodes (`hasCitus`)
 */
export function startWorkers(service: Service, isSpread: boolean): Workers {
  const { config, database, sealer, clock, metrics, log, operations } = service;
  const { background: db, backgroundPool } = database;
  const report = reportFailures(log);
  const sender = createSender({ clock, allowPrivateTargets: config.webhookAllowPrivateTargets });
  // Labels are looked up once, not for each of thousands of attempts a second.
  const [delivered, failed] = (['delivered', 'failed'] as const).map((outcome) =>
    metrics.webhookAttempts.labels({ outcome }),
  );
  const delivery = startDelivery({
    db,
    statements: namedStatements(backgroundPool, config.databasePreparedStatements),
    sender,
    sealer,
    clock,
    isSpread,
    intervalMs: config.webhookIntervalMs,
    maxTaken: config.webhookMaxTaken,
    onAttempt(isDelivered, secondsSinceEvent) {
      (isDelivered ? delivered : failed)?.inc();
      if (secondsSinceEvent !== null) metrics.webhookDeliverySeconds.observe(secondsSinceEvent);
    },
    onSwitchedOff: () => metrics.webhookEndpointsSwitchedOff.inc(),
    onError: report('webhook delivery'),
  });
  const bounties = startBounties({
    db,
    clock,
    intervalMs: config.settleIntervalMs,
    onCompleted(count) {
      metrics.completedBounties.inc(count);
      delivery.wake();
    },
    onError: report('checking bounties'),
  });
  const settlement = startPosting({
    db,
    postRows: operations.postRows,
    intervalMs: config.settleIntervalMs,
    onPosted(rows) {
      metrics.settledRows.inc(rows);
      bounties.wake();
    },
    onError: report('posting'),
  });
  const payouts = {
    waits: () => hasAbandonedPayouts,
    ...startTurns({
      publishers: () => publishersToResume(db),
      work: (publisherId) => resumePayouts(db, publisherId),
      intervalMs: pollEveryMs,
      onDone: () => undefined,
      onError: report('resuming payouts'),
    }),
  };
  const payRuns = {
    waits: () => hasUnattendedRuns,
    ...startTurns({
      publishers: () => publishersWithRuns(db),
      work: (publisherId) => resumePayRun(db, publisherId, report('creating a payout of a pay run')),
      intervalMs: pollEveryMs,
      onDone: () => undefined,
      onError: report('resuming pay runs'),
    }),
  };
  const stopping = new AbortController();
  const verifications = {
    waits: () => hasLedgersToVerify,
    ...startTurns({
      publishers: () => publishersToVerify(db),
      work: (publisherId) => runVerification(db, publisherId, stopping.signal),
      intervalMs: pollEveryMs,
      onDone: () => undefined,
      onError: report('verifying ledgers'),
    }),
  };
  const statements = {
    waits: () => hasMonthsToClose,
    ...startTurns({
      publishers: () => publishersToClose(db),
      work: (publisherId) => issueStatements(db, publisherId, stopping.signal),
      intervalMs: pollEveryMs,
      onDone: () => undefined,
      onError: report('issuing statements'),
    }),
  };
  const schedules = {
    waits: () => areAnnouncementsDue(clock.now()),
    ...startWhenWoken(async () => {
      const told = await announceDueSchedules(db, clock.now());
      if (told > 0) delivery.wake();
      return { pauseMs: pollEveryMs, isBusy: false };
    }, report('publishing events of schedules')),
  };
  const notices = {
    waits: () => noticesWait(clock.now()),
    ...startTurns({
      publishers: () => publishersWithNotices(db, clock.now()),
      work: (publisherId) => sendNotices(service.portal, db, publisherId),
      intervalMs: pollEveryMs,
      onDone: () => undefined,
      onError: report('sending emails to creators'),
    }),
  };
  const decisions = {
    waits: () => decisionsWait(clock.now()),
    ...startTurns({
      publishers: () => publishersWithDecisions(db, clock.now()),
      work: (publisherId) => sendDecisions(service.portal, db, publisherId),
      intervalMs: pollEveryMs,
      onDone: () => undefined,
      onError: report('sending emails about applications'),
    }),
  };
  const connectors = {
    waits: () => eventsWait(clock.now()),
    ...startTurns({
      publishers: () => publishersWithEvents(db, clock.now()),
      work: (publisherId) => workEvents(service.eventDeps(db), publisherId),
      fullTurn: eventsAtOnce,
      intervalMs: config.settleIntervalMs,
      onDone: () => {
        settlement.wake();
        delivery.wake();
      },
      onError: report('working on events of connectors'),
    }),
  };
  const notifications = startNotifications(service.notifier, report('sending notifications'));
  const backlog = startReadingBacklog({
    db,
    clock,
    metrics: showBacklog(metrics),
    backlog: {
      oldestUnposted,
      deliveryDueSince: oldestDueAt({ limit: endpointsAtOnce, isSpread }),
      failingEndpoints,
      unattendedPayouts,
      unexplainedLedgers,
      notificationDueSince: service.notifier.oldestDueAt(),
      connectorDueSince: eventDueSince,
    },
    onError: report('reading the backlog for metrics'),
  });
  const polled = [
    ...[settlement, bounties, schedules, delivery, payouts, payRuns, verifications],
    ...[statements, notices, decisions, connectors, notifications],
  ];
  const purging = startRepeating(async (stopping) => {
    await makeDays(db); // runs first, so that partitions aren't dropped if new ones can't be created
    await removeDeadListeners(db);
    const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * dayMs);
    await dropDays(db, 'bounty_event', daysAgo(config.customEventKeepDays), stopping);
    await purgeEvents(db, daysAgo(config.webhookKeepDays), stopping);
    await purgeRefused(db, clock.now(), stopping);
    await purgeCounts(db, clock.now(), stopping);
    await purgeNotifications(db, clock.now(), stopping);
    await purgeRemoved(db, clock.now(), stopping);
    await purgePlayerCodes(db, clock.now(), stopping);
    await expireApplications(db, clock.now(), stopping);
    await deleteAccounts(db, clock.now(), stopping);
    await purgeNotices(db, clock.now(), stopping);
    await purgeBodies(db, clock.now(), stopping);
    await purgeOrders(db, clock.now(), stopping);
    return purgeEveryMs;
  }, report('creating partitions and purging'));
  const wakingCodes = startRepeating(async () => {
    await wakeMissingCodes(service.eventDeps(db));
    return wakeCodesEveryMs;
  }, report('looking up codes that were unknown'));
  const pollingProviders = startRepeating(async (stopping) => {
    if ((await pollConnectors(service.pollDeps(db), stopping)) > 0) connectors.wake();
    return pollProvidersEveryMs;
  }, report('polling payment providers'));
  const forgetting = startRepeating(async (stopping) => {
    await forgetBuyers(db, clock.now(), stopping);
    return purgeEveryMs;
  }, report('forgetting buyers'));
  const announcing = startRepeating(async (stopping) => {
    if ((await announceEnds(db, clock.now(), stopping)) > 0) delivery.wake();
    return announceEveryMs;
  }, report("announcing the ends of players' codes"));
  const { erasureLog } = config;
  const erasing = startRepeating(async (stopping) => {
    if (erasureLog !== null) await eraseDue({ db, sealer, clock }, erasureLog, stopping);
    return purgeEveryMs;
  }, report('erasing creators who requested it'));
  const polling = startPolling({
    db,
    everyMs: pollEveryMs,
    workers: polled,
    onError: report('polling for work'),
  });
  return {
    wake() {
      for (const worker of [settlement, bounties, delivery, connectors]) worker.wake();
    },
    async stop() {
      stopping.abort();
      await Promise.all(
        [
          ...[polling, purging, backlog, forgetting, wakingCodes, pollingProviders, announcing, erasing],
          ...polled,
        ].map((worker) => worker.stop()),
      );
      await sender.close();
    },
  };
}
