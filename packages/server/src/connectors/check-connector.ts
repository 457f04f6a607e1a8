import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { formatMinorUnits } from '../platform/money.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { type Connector, type ConnectorKey, readConnector } from './connector-record.ts';
import { type EventDetail, readEvent } from './events/read-event.ts';
import { webhookProviderOf } from './providers/all-providers.ts';

export const checkNames = ['arrived', 'signature', 'handshake', 'code', 'recorded'] as const;

export interface Check {
  check: (typeof checkNames)[number];
  state: 'waiting' | 'passed' | 'failed';
  /** Finding; null while waiting, and if the state says it all. */
  detail: string | null;
}

export interface ConnectorCheck {
  checks: Check[];
  /** Event that the checks are about, preferably a purchase from the provider; null until one arrives. */
  event: CheckedEvent | null;
}

export type CheckedEvent = Pick<
  EventDetail,
  'eventId' | 'type' | 'isTest' | 'isSample' | 'orderId' | 'receivedAt'
>;

/** Descriptions of the reasons for which a request is rejected. */
const refusals: Readonly<Record<string, string>> = {
  NoSecret: 'The connector has no signing secret. Enter the one that the provider shows.',
  NoSignature: 'The request has no signature in the header that the provider uses.',
  WrongSignature: 'The signature does not match the secret. Enter the secret of this address again.',
  TooOld: 'The signed time is more than five minutes ago. A test that was saved can’t be sent again.',
  FromTheFuture: 'The signed time is more than five minutes ahead. Set the clock of the service.',
};

/** Returns how far a first event has come since a time, for the screen that waits for it. */
export async function checkConnector(
  { db, sealer }: { db: Db; sealer: Sealer },
  key: ConnectorKey,
  since: Date,
): Promise<ConnectorCheck> {
  const connector = await readConnector(db, key);
  const refused = connector.refused !== null && connector.refused.at >= since ? connector.refused : null;
  const newest = await readNewest(db, sealer, key, since);
  // A later request that was rejected says more than a sample, which the service signs itself.
  const event =
    newest?.isSample === true && refused !== null && refused.at > newest.receivedAt ? null : newest;
  const isAnswered = connector.answeredAt !== null && connector.answeredAt >= since;
  const hasArrived = event !== null || isAnswered;
  const provider = webhookProviderOf(connector.provider);
  const ofPurchase = [
    { check: 'code' as const, ...codeCheck(event) },
    { check: 'recorded' as const, ...recordedCheck(event) },
  ];
  if (provider === null)
    return {
      event: checked(event),
      checks: [{ check: 'arrived', ...polledCheck(connector, since) }, ...ofPurchase],
    };
  return {
    event: checked(event),
    checks: [
      {
        check: 'arrived',
        ...(hasArrived || refused !== null ? passed() : waiting),
      },
      {
        check: 'signature',
        ...(hasArrived
          ? passed(`${provider.signatureHeader(connector.settings)} is valid.`)
          : refused !== null
            ? failed(refusals[refused.reason] ?? 'The signature is not valid.')
            : waiting),
      },
      ...(provider.hasHandshake && connector.settings.isShopAddress === true
        ? [
            {
              check: 'handshake' as const,
              ...(isAnswered ? passed() : waiting),
            },
          ]
        : []),
      ...ofPurchase,
    ],
  };
}

const checked = (event: EventDetail | null): CheckedEvent | null => {
  if (event === null) return null;
  const { eventId, type, isTest, isSample, orderId, receivedAt } = event;
  return { eventId, type, isTest, isSample, orderId, receivedAt };
};

type Result = Omit<Check, 'check'>;
const waiting: Result = { state: 'waiting', detail: null };
const passed = (detail: string | null = null): Result => ({ state: 'passed', detail });
const failed = (detail: string): Result => ({ state: 'failed', detail });

function polledCheck({ hasSecret, poll }: Connector, since: Date): Result {
  if (!hasSecret) return failed('The connector has no key yet. Enter the one that the provider shows.');
  if (poll?.failing != null) return failed(poll.failing.problem);
  return poll?.polledAt != null && poll.polledAt >= since ? passed() : waiting;
}

function codeCheck(event: EventDetail | null): Result {
  if (event === null) return waiting;
  if (event.problem !== null) return failed(event.problem);
  if (event.reason === 'NoCode')
    return failed(
      'The order has no creator code, and none was sent in advance. Check the field that the settings name.',
    );
  if (event.reason === 'CodeNotInGroup')
    return failed(`The code ${event.missingCode ?? ''} is not an approved code of the creator group.`);
  const [first] = event.rows;
  return first === undefined ? waiting : passed(event.rows.map(({ code }) => code).join(', '));
}

function recordedCheck(event: EventDetail | null): Result {
  if (event === null || event.reason === 'NoCode' || event.reason === 'CodeNotInGroup') return waiting;
  if (event.status === 'Failed' || event.status === 'Ignored')
    return failed(event.message ?? event.problem ?? `The event was ignored: ${event.reason}.`);
  const { rows, kind } = event;
  if (rows.length === 0) return waiting;
  // The list of events shows the total of a purchase, which usually includes tax.
  const total = kind === 'Sale' && !isSubtotal(event.amount, rows) ? event.amount : null;
  const recorded = rows.map(
    ({ code, subtotalMinor, currency, sharePercent, status }) =>
      `${code}, ${total === null ? '' : 'subtotal '}${formatMinorUnits(subtotalMinor, currency)} ${currency}` +
      (sharePercent === null ? '' : `, ${sharePercent} %`) +
      (status === 'Test' ? ', as a test' : ''),
  );
  return passed(
    recorded.join('; ') +
      (total === null
        ? ''
        : `. Order total: ${formatMinorUnits(total.minor, total.currency)} ${total.currency}`),
  );
}

/** Returns whether an amount is the sum of the rows' subtotals. */
const isSubtotal = (amount: EventDetail['amount'], rows: EventDetail['rows']): boolean =>
  amount !== null &&
  rows.every(({ currency }) => currency === amount.currency) &&
  rows.reduce((sum, { subtotalMinor }) => sum + subtotalMinor, 0n) === amount.minor;

/** Reads the newest event since a time, preferably one that the provider sent, and then preferably a purchase. */
async function readNewest(
  db: Db,
  sealer: Sealer,
  { publisherId, connectorId }: ConnectorKey,
  since: Date,
): Promise<EventDetail | null> {
  const { rows } = await sql<{ connector_event_id: string }>`
    select connector_event_id
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and received_at >= ${since}
    order by is_sample, kind = 'Sale' desc, connector_event_id desc
    limit 1`.execute(db);
  const [newest] = rows;
  if (newest === undefined) return null;
  return readEvent({ db, sealer }, { publisherId, connectorId, eventId: newest.connector_event_id });
}
