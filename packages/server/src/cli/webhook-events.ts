import { type Command, Option } from 'commander';
import { systemClock } from '../platform/clock.ts';
import type { EndpointId, EventId } from '../platform/database/tables.generated.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import type { DeliveryStatus } from '../webhooks/delivery/read/deliveries-of.ts';
import { type DeliveryRecord, listDeliveries } from '../webhooks/delivery/read/list-deliveries.ts';
import { replayDeliveries } from '../webhooks/delivery/read/replay-deliveries.ts';
import { type EventRecord, showEvent } from '../webhooks/delivery/read/show-event.ts';
import { isSecret } from '../webhooks/endpoints/secrets.ts';
import { listenToEvents } from '../webhooks/listening/listen-to-events.ts';
import {
  cursorOption,
  inDatabase,
  limitOption,
  type PageOptions,
  type PublisherOptions,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { eventsOption, readEventKinds } from './print/event-words.ts';
import { printTable } from './print/print-table.ts';

const maxListed = 1_000;

/** What of `webhooks` is about events: where they went, sending them again, and watching them. */
export function addEventCommands(
  command: (name: string, description: string) => Command,
  tools: CommandTools,
): void {
  command('deliveries', 'Show deliveries, newest first; with --event, every attempt of it.')
    .option('--endpoint <id>', 'of this endpoint')
    .addOption(new Option('--status <status>', 'of this status').choices(['Pending', 'Delivered', 'Failed']))
    .option('--event <id>', 'of this event')
    .addOption(limitOption(maxListed, 50))
    .addOption(cursorOption())
    .action(inDatabase(tools, (work, options: DeliveriesOptions) => deliveries(work, tools, options)));
  command('replay', 'Send events again: one, or those since a moment that were not delivered.')
    .option('--event <id>', 'this event')
    .option('--since <timestamp>', 'events from then on')
    .option('--endpoint <id>', 'to this endpoint alone')
    .option('--all', 'with --since: also what was delivered')
    .action(inDatabase(tools, (work, options: ReplayOptions) => replay(work, tools, options)));
  command('listen', 'Print events as they happen, and forward them to a receiver in development.')
    .option('--forward <url>', 'send each event there, once')
    .option('--secret <whsec_…>', 'sign with the secret of an earlier session, or one of your own')
    .addOption(eventsOption('what to listen to; all when absent'))
    .action(inDatabase(tools, (work, options: ListenOptions) => listen(work, tools, options)));
}

interface DeliveriesOptions extends PublisherOptions, PageOptions {
  endpoint?: EndpointId;
  status?: DeliveryStatus;
  event?: EventId;
}

async function deliveries({ db, pages }: Work, { print }: CommandTools, options: DeliveriesOptions) {
  const {
    publisher: publisherId,
    endpoint: endpointId,
    status,
    event: eventId,
    limit,
    cursor,
    json,
  } = options;
  const { rows, nextCursor } = await listDeliveries(
    db,
    await pages(),
    { publisherId, endpointId, status, eventId },
    { cursor: cursor ?? null, size: limit },
  );
  const shown = eventId === undefined ? null : await showEvent(db, publisherId, eventId);
  if (json) {
    const event = shown === null ? {} : { ...shown, event: JSON.parse(shown.event) };
    print(JSON.stringify({ ...event, deliveries: rows, nextCursor }));
    return;
  }
  if (shown !== null) print(`${shown.kind}, ${shown.createdAt.toISOString()}\n${shown.event}\n`);
  printDeliveries(rows, print);
  if (shown !== null) printAttempts(shown, print);
  if (nextCursor !== null) print(`\nMore: --cursor ${nextCursor}`);
}

function printDeliveries(rows: readonly DeliveryRecord[], print: (line: string) => void): void {
  if (rows.length === 0) {
    print('No deliveries.');
    return;
  }
  printTable(
    ['EVENT', 'KIND', 'ENDPOINT', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT'],
    rows.map((each) => [
      each.eventId,
      each.kind,
      each.endpointId,
      each.status,
      String(each.attemptCount),
      each.lastStatusCode === null ? (each.lastError ?? '-') : String(each.lastStatusCode),
      each.nextAttemptAt?.toISOString() ?? '-',
    ]),
    print,
  );
}

function printAttempts({ attempts }: EventRecord, print: (line: string) => void): void {
  for (const { endpointId, attemptNumber, startedAt, durationMs, statusCode, error, answer } of attempts) {
    const ended = `${durationMs} ms: ${statusCode ?? error}`;
    print(`\n${endpointId}, attempt ${attemptNumber}, ${startedAt.toISOString()}, ${ended}`);
    if (answer !== '') print(answer);
  }
}

interface ReplayOptions extends PublisherOptions {
  event?: EventId;
  since?: string;
  endpoint?: EndpointId;
  all?: boolean;
}

async function replay({ db, actor }: Work, { print }: CommandTools, options: ReplayOptions): Promise<void> {
  const { publisher: publisherId, endpoint: endpointId, event: eventId, all = false } = options;
  if ((eventId === undefined) === (options.since === undefined))
    throw new OperatorError('Say what to replay: --event <id>, or --since <timestamp>.');
  const what = eventId === undefined ? { since: readMoment(options.since ?? ''), all } : { eventId };
  const { replayed, underWay } = await replayDeliveries(db, actor, { publisherId, endpointId, ...what });
  if (options.json) {
    print(JSON.stringify({ replayed, underWay }));
    return;
  }
  print(`${replayed} deliver${replayed === 1 ? 'y is' : 'ies are'} on the way.`);
  if (underWay > 0) print(`${underWay} were being sent at this moment: replay again if they fail.`);
  else if (replayed === 0)
    print('No endpoint that is on wants such an event, or all was delivered (--all sends it again).');
}

function readMoment(text: string): Date {
  const ms = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (ms === null)
    throw new OperatorError(
      '--since must be a day such as 2027-01-31, or a timestamp such as 2027-01-31T12:00:00Z.',
    );
  return new Date(ms);
}

interface ListenOptions extends PublisherOptions {
  forward?: string;
  secret?: string;
  events?: string;
}

async function listen(
  { db, sealer, actor }: Work,
  { print, outputClosed }: CommandTools,
  { publisher: publisherId, forward, secret: given, events, json }: ListenOptions,
): Promise<void> {
  // In words of our own: commander's would repeat what was typed.
  if (given !== undefined && !isSecret(given))
    throw new OperatorError(
      '--secret must be a secret as `webhooks listen` prints it: whsec_ and the base64 of 24 to 64 bytes. Without it, a new one is made.',
    );
  await listenToEvents(
    { db, clock: systemClock, sealer },
    actor,
    {
      publisherId,
      eventKinds: readEventKinds(events ?? 'all'),
      forward: forward ?? null,
      secret: given,
      onStart(url, secret) {
        if (json) {
          print(JSON.stringify({ listening: publisherId, secret }));
          return;
        }
        print(`Listening to ${publisherId}${url === null ? '' : `, forwarding to ${url}`}. Ctrl-C ends it.`);
        print(`The secret for this session: ${secret}`);
        if (given === undefined) print('Pass it as --secret next time, and your receiver can keep it.');
        print('');
      },
      onEvent({ createdAt, kind, eventId, event }, body) {
        print(json ? body : `${createdAt.toISOString()}  ${kind}  ${eventId}\n${event}`);
      },
      onForwarded({ statusCode, error, durationMs }) {
        if (!json) print(`  → ${statusCode ?? error}, ${durationMs} ms\n`);
      },
    },
    interrupted(outputClosed),
  );
}

/**
 * Ends what listens at Ctrl-C, at SIGTERM, or when nobody reads its output any more; a second Ctrl-C (npm forwards one
 * of its own) must not cut that short.
 */
function interrupted(outputClosed: AbortSignal): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort());
  return AbortSignal.any([controller.signal, outputClosed]);
}
