import { needsAnotherPerson } from './accounts/needs-another-person.ts';
import { removePerson } from './accounts/people/remove-person.ts';
import { createSignIn } from './accounts/sign-in/create-sign-in.ts';
import { createStaffVerifier } from './accounts/verify-staff.ts';
import { createRequestCounts } from './api-keys/counted/request-counts.ts';
import { createIgnoredCounts } from './api-keys/ignored/count-ignored.ts';
import { createKeyUses } from './api-keys/key-uses.ts';
import { LookUpMisses } from './api-keys/look-up-misses.ts';
import { createKeyVerifier } from './api-keys/verify-key.ts';
import { overwriteRow } from './attributions/overwrite-row.ts';
import { RecordQueue } from './attributions/record/record-queue.ts';
import { countRows } from './bounties/count/count-rows.ts';
import { mergeProgress } from './bounties/count/merge-progress.ts';
import { recountPurchase } from './bounties/count/recount-purchase.ts';
import { uncountRow } from './bounties/count/uncount-row.ts';
import { createReportReader } from './connectors/poll/fetch-report.ts';
import type { PollDeps } from './connectors/poll/poll-deps.ts';
import type { EventDeps } from './connectors/work/deps.ts';
import { authCodeSecret } from './linking/issue-auth-code.ts';
import { linkAccount } from './linking/link-account.ts';
import { forgetChoice } from './notifications/choices/forget-choice.ts';
import { createNotifier } from './notifications/notifier.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { steamOrigin } from './platform/connector-settings.ts';
import type { Database, Db } from './platform/database/database.ts';
import { type Mail, mailSender, type SendMail } from './platform/mail/send-mail.ts';
import { openPages } from './platform/page.ts';
import type { Sealer } from './platform/secrets/sealer.ts';
import type { Log } from './platform/telemetry/log.ts';
import type { Metrics } from './platform/telemetry/metrics.ts';
import { joinConfirmations } from './platform/work/join-confirmations.ts';
import { createPortal } from './portal/create-portal.ts';
import type { ProviderUrls } from './portal/providers/open-providers.ts';
import { createPrograms } from './publishers/programs.ts';
import { nowAt } from './publishers/publisher-time.ts';
import { clawBack, type SetStatus } from './settlement/claw-back/claw-back.ts';
import { clawBackPurchase } from './settlement/claw-back/claw-back-purchase.ts';
import { countStatus } from './settlement/count-status.ts';
import { markPayoutPaid } from './settlement/payouts/mark-payout-paid.ts';
import { markPayoutsPaid } from './settlement/payouts/mark-payouts-paid.ts';
import { setResults } from './settlement/payouts/results/set-results.ts';
import { postRows } from './settlement/post/post-rows.ts';
import { refundPurchase } from './settlement/refunds/refund-purchase.ts';
import { type RecountPurchase, reinstateRefund } from './settlement/reinstatements/reinstate-refund.ts';
import { reversePayment, type UncountRow } from './settlement/reverse-payment.ts';
import { StatementDrawer } from './settlement/statements/pdf/statement-drawer.ts';
import { createSender } from './webhooks/delivery/send/send-request.ts';

/** Dependencies that a process creates first. */
export interface Foundation {
  config: Config;
  database: Database;
  sealer: Sealer;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** URLs of the portal's providers, for tests. */
  providerUrls?: ProviderUrls | undefined;
  /** Sends the portal's emails in the demo, which has no mail server. */
  sendDemoMail?: SendMail | undefined;
}

export type Service = ReturnType<typeof composeService>;

/**
 * Composes the components that requests and background work share in one process. `serve`, the demo, the
 * tests and the generators all use it. Does not query the database.
 */
export function composeService(foundation: Foundation) {
  const { config, database, sealer, clock, metrics, log } = foundation;
  const { db, lookups, recording, recordingDb, background } = database;
  const confirm = joinConfirmations(lookups);
  const programs = createPrograms(lookups, confirm).start();
  const signIn = createSignIn({ config, db, sealer, clock, log });
  const { providerUrls, sendDemoMail } = foundation;
  const sendMail =
    sendDemoMail === undefined ? signIn.sendMail : (mail: Mail) => sendDemoMail(mail).then(() => true);
  const portal = createPortal({
    ...{ config, db, lookups, background, sealer, clock, log },
    ...{ sendMail, providerUrls },
  });
  const staff = createStaffVerifier(lookups, signIn, clock);
  const keyUses = createKeyUses(
    background,
    () => clock.now(),
    (error) => log.warn({ err: error }, "couldn't store when keys were used"),
  );
  const ignoredCounts = createIgnoredCounts(
    background,
    () => clock.now(),
    (error) => log.warn({ err: error }, "couldn't store the counts of ignored input"),
  );
  const requestCounts = createRequestCounts(
    background,
    () => clock.now(),
    (error) => log.warn({ err: error }, "couldn't store the counts of requests"),
  );
  const keys = createKeyVerifier(lookups, clock, confirm, keyUses.note);
  const sender = createSender({ clock, allowPrivateTargets: config.webhookAllowPrivateTargets });
  const recordQueue = new RecordQueue({
    lookups,
    pool: recording,
    transactions: recordingDb,
    programs,
    metrics,
    lanes: config.recordLanes,
    maxQueuedRows: config.recordQueueRows,
    preparedStatements: config.databasePreparedStatements,
  });
  const notifier = createNotifier({
    db: background,
    clock,
    sealer,
    sender,
    sendMail: mailSender(config),
    origin: config.publicUrl ?? `http://localhost:${config.port}`,
    publicUrl: config.publicUrl,
    metrics,
    log,
  });
  const operations = composeOperations(clock);
  const reports = createReportReader({
    origin: config.steamUrl,
    allowPrivate: config.steamUrl !== steamOrigin,
    clock,
  });
  return {
    ...foundation,
    operations,
    /** Returns what is needed to work on events of connectors, with the connections to use. */
    eventDeps: (connections: Db): EventDeps => ({
      ...{ db: connections, clock, programs, recordQueue, operations },
      onFinished: (status) => metrics.connectorEvents.inc({ status }),
    }),
    /** Returns what is needed to poll providers for connectors, with the connections to use. */
    pollDeps: (connections: Db): PollDeps => ({
      ...{ db: connections, sealer, clock, reports },
      onPolled: (outcome) => metrics.connectorPolls.inc({ outcome }),
    }),
    programs,
    keys,
    keyUses,
    ignoredCounts,
    requestCounts,
    sender,
    notifier,
    signIn,
    staff,
    portal,
    recordQueue,
    statementDrawer: new StatementDrawer(),
    misses: new LookUpMisses(config.codeMissesPerMinute, clock, metrics),
    openPages: () => openPages(db, sealer),
    openAuthCodeSecret: () => authCodeSecret(db, sealer),
    /** Resolves when the queued purchases have been recorded. The database remains open. */
    async stop() {
      await recordQueue.drained();
      await keyUses.stop();
      await ignoredCounts.flush();
      await requestCounts.flush();
      await sender.close();
      await reports.close();
      keys.stop();
      programs.stop();
    },
  };
}

/**
 * Parameters of an operation without the first parameter, which contains the parts provided by other slices.
 */
type Rest<Operation> = Operation extends (parts: never, ...rest: infer Parameters) => unknown
  ? Parameters
  : never;

export type Operations = ReturnType<typeof composeOperations>;

/**
 * Composes the operations that need the clock or a part from a later slice. The API, the workers, the
 * commands, the demo and the tests all get these operations here.
 */
export function composeOperations(clock: Clock) {
  const uncount: UncountRow = async (tx, publisherId, part) =>
    uncountRow(tx, publisherId, part, await nowAt(tx, clock, publisherId));
  const recount: RecountPurchase = async (tx, publisherId, transactionId) =>
    recountPurchase(tx, publisherId, transactionId, await nowAt(tx, clock, publisherId));
  const setStatus: SetStatus = async (tx, publisherId, attributionId, status) => {
    await overwriteRow(tx, publisherId, attributionId, { status, playerId: null });
  };
  return {
    postRows: (...rest: Rest<typeof postRows>) => postRows({ countRows }, ...rest),
    reversePayment: (...rest: Rest<typeof reversePayment>) =>
      reversePayment({ uncountRow: uncount }, ...rest),
    countStatus,
    refundPurchase: (...rest: Rest<typeof refundPurchase>) =>
      refundPurchase({ uncountRow: uncount }, ...rest),
    reinstateRefund: (...rest: Rest<typeof reinstateRefund>) =>
      reinstateRefund({ recountPurchase: recount }, ...rest),
    markPayoutPaid: (...rest: Rest<typeof markPayoutPaid>) =>
      markPayoutPaid({ clock, needsAnotherPerson }, ...rest),
    markPayoutsPaid: (...rest: Rest<typeof markPayoutsPaid>) =>
      markPayoutsPaid({ clock, needsAnotherPerson }, ...rest),
    setResults: (...rest: Rest<typeof setResults>) => setResults({ clock, needsAnotherPerson }, ...rest),
    clawBack: (...rest: Rest<typeof clawBack>) => clawBack({ setStatus, uncountRow: uncount }, ...rest),
    clawBackPurchase: (...rest: Rest<typeof clawBackPurchase>) =>
      clawBackPurchase({ setStatus, uncountRow: uncount }, ...rest),
    removePerson: (...rest: Rest<typeof removePerson>) => removePerson({ clock, forgetChoice }, ...rest),
    linkAccount: (...rest: Rest<typeof linkAccount>) => linkAccount({ mergeProgress }, ...rest),
  };
}
