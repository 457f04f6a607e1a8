export interface Declared<Kind extends 'counter' | 'gauge' | 'histogram', Label extends string> {
  readonly kind: Kind;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

const declare =
  <Kind extends 'counter' | 'gauge'>(kind: Kind) =>
  <Label extends string = never>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
  ): Declared<Kind, Label> => ({ kind, name, help, labels });

const counter = declare('counter');
const gauge = declare('gauge');

const histogram = <Label extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
): Declared<'histogram', Label> => ({ kind: 'histogram', name, help, labels, buckets });

const doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const subseconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

// Labels never identify members or keys. Only one label identifies publishers, and only if /metrics has its own port.

/** Metrics that each process counts or measures itself. */
export const processMetrics = {
  requestSeconds: histogram(
    'attribution_http_request_seconds',
    'Time from a request to its response.',
    [...subseconds, 2.5, 5, 10],
    ['operation', 'method', 'status'],
  ),
  recordBatchRequests: histogram(
    'attribution_record_batch_requests',
    'Requests recorded together in one commit.',
    doubling,
  ),
  recordBatchRows: histogram('attribution_record_batch_rows', 'Rows recorded in one commit.', [
    ...doubling,
    512,
    1_024,
  ]),
  recordCommitSeconds: histogram('attribution_record_commit_seconds', 'Duration of one recording commit.', [
    ...subseconds,
    5,
  ]),
  recordedRows: counter('attribution_recorded_rows_total', 'Rows recorded by this process since it started.'),
  settledRows: counter('attribution_settled_rows_total', 'Rows posted by this process since it started.'),
  webhookAttempts: counter(
    'attribution_webhook_attempts_total',
    'Webhook delivery attempts by this process since it started.',
    ['outcome'],
  ),
  webhookDeliverySeconds: histogram(
    'attribution_webhook_delivery_seconds',
    'Time from an event to its delivery, for events delivered on the first attempt.',
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  ),
  webhookEndpointsSwitchedOff: counter(
    'attribution_webhook_endpoints_switched_off_total',
    'Endpoints that this process disabled after five days of failed attempts.',
  ),
  notifications: counter(
    'attribution_notifications_total',
    'Attempts by this process to send notifications by email and to channels, since it started.',
    ['by', 'outcome'],
  ),
  connectorRequests: counter(
    'attribution_connector_requests_total',
    'Requests of payment providers to this process since it started.',
    ['outcome'],
  ),
  connectorEvents: counter(
    'attribution_connector_events_total',
    'Events of payment providers that this process worked on since it started.',
    ['status'],
  ),
  connectorPolls: counter(
    'attribution_connector_polls_total',
    "Polls of payment providers' reports by this process since it started.",
    ['outcome'],
  ),
  completedBounties: counter(
    'attribution_completed_bounties_total',
    'Bounties completed by this process since it started, counting every completion.',
  ),
  failedLinks: counter('attribution_failed_links_total', 'Failed attempts to link accounts to players.', [
    'code',
  ]),
  refusedRequests: counter(
    'attribution_refused_requests_total',
    'Requests rejected to protect the service.',
    ['reason'],
  ),
  unkeptRefusals: counter(
    'attribution_unkept_refusals_total',
    'Rejected requests that this process did not store for the publisher because there were too many.',
  ),
};

/** Metrics of the process that supervises others. */
export const supervisorMetrics = {
  restarts: counter(
    'attribution_process_restarts_total',
    'Processes of this service that ended and were started again, with `PROCESSES`.',
    ['role'],
  ),
};

/** Backlog of the whole database, which workers read at intervals. */
export const backlogMetrics = {
  postingDelaySeconds: gauge('attribution_posting_delay_seconds', 'Age of the oldest unposted purchase.'),
  webhookDelaySeconds: gauge(
    'attribution_webhook_delay_seconds',
    'Time that the oldest due delivery has been waiting for a worker.',
  ),
  failingEndpoints: gauge(
    'attribution_webhook_failing_endpoints',
    'Enabled endpoints whose last attempt failed.',
  ),
  unattendedPayouts: gauge(
    'attribution_unattended_payouts',
    'Unfinished payouts and pay runs that no process is working on.',
  ),
  unexplainedLedgers: gauge(
    'attribution_unexplained_ledgers',
    'Publishers whose last ledger verification from the dashboard found discrepancies.',
  ),
  notificationDelaySeconds: gauge(
    'attribution_notification_delay_seconds',
    'Time that the oldest due notification has been waiting to be sent.',
  ),
  connectorDelaySeconds: gauge(
    'attribution_connector_delay_seconds',
    'Time that the oldest due event of a payment provider has been waiting for a worker.',
  ),
  readAtSeconds: gauge(
    'attribution_backlog_read_timestamp_seconds',
    'Unix time when the backlog metrics were last read.',
  ),
};

/** Metrics that are read from their sources on each request for /metrics. */
export const readMetrics = {
  queuedRows: gauge('attribution_record_queue_rows', 'Rows waiting to be recorded by this process.'),
  bodyBytes: gauge(
    'attribution_body_bytes',
    'Bytes of request bodies that this process is reading or processing.',
  ),
  answerBytes: gauge(
    'attribution_answer_bytes',
    'Bytes of large responses in this process that clients have not read yet.',
  ),
  connections: gauge('attribution_http_connections', 'Client connections to this process.'),
  isReady: gauge(
    'attribution_ready',
    '1 if this process is ready (as on /readyz, its database must accept writes), otherwise 0.',
  ),
  freeBytes: gauge('attribution_data_free_bytes', 'Free bytes on the disk of the embedded database.'),
  poolUsage: gauge(
    'attribution_database_connections',
    'Database connections of this process for requests, and queries waiting for a connection.',
    ['state'],
  ),
  replicaAgeSeconds: gauge(
    'attribution_read_replica_age_seconds',
    'Upper bound on the lag of the read replica; NaN if unknown.',
  ),
  replicaUsed: gauge(
    'attribution_read_replica_used',
    '1 if reports are read from the replica, 0 when it is unavailable or too far behind.',
  ),
  reportStatements: counter(
    'attribution_report_statements_total',
    'Report statements since this process started, by the database that ran them.',
    ['from'],
  ),
  diskBytes: gauge('attribution_disk_bytes', 'Bytes of tables and their indexes, by kind of data.', [
    'tables',
  ]),
  publisherDiskBytes: gauge(
    'attribution_publisher_disk_bytes',
    'Estimated bytes stored for each of the twenty largest publishers.',
    ['publisher'],
  ),
  partitionDays: gauge('attribution_partition_days', 'Number of days ahead for which partitions exist.'),
};
