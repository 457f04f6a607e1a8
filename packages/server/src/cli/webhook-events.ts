import { type Command, Option } from 'commander';
import { systemClock } from '../platform/clock.ts';
import type { EndpointId, EventId } from '../platform/database/tables.generated.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import type { DeliveryStatus } from '../webhooks/delivery/read/deliveries-of.ts';
import { listDeliveries } from '../webhooks/delivery/read/list-deliveries.ts';
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
  pageOf,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { eventsOption, readEventKinds } from './print/event-kinds-option.ts';
import { printList } from './print/print-list.ts';

const maxListed = 1_000;

export function addEventCommands(
  command: (name: string, description: string) => Command,
  tools: CommandTools,
): void {
  command('deliveries', 'List deliveries, newest first. With --event, also list all attempts.')
    .option('--endpoint <id>', 'only deliveries to this endpoint')
    .addOption(
      new Option('--status <status>', 'only deliveries with this status').choices([
        'Pending',
        'Delivered',
        'Failed',
      ]),
    )
    .option('--event <id>', 'only deliveries of this event')
    .addOption(limitOption(maxListed, 50))
    .addOption(cursorOption())
    .action(inDatabase(tools, (work, options: DeliveriesOptions) => deliveries(work, tools, options)));
  command('replay', 'Resend one event, or the undelivered events since a given time.')
    .option('--event <id>', 'id of the event')
    .option('--since <timestamp>', 'time of the earliest event to resend')
    .option('--endpoint <id>', 'resend only to this endpoint')
    .option('--all', 'with --since, also resend delivered events')
    .action(inDatabase(tools, (work, options: ReplayOptions) => replay(work, tools, options)));
  command('listen', 'Print events as they happen, and forward them to a receiver in development.')
    .option('--forward <url>', 'send each event once to this URL')
    .option('--secret <whsec_…>', 'secret to sign with, from an earlier session or your own')
    .addOption(eventsOption('events to listen for (default: all)'))
    .action(inDatabase(tools, (work, options: ListenOptions) => listen(work, tools, options)));
}

interface DeliveriesOptions extends PublisherOptions, PageOptions {
  endpoint?: EndpointId;
  status?: DeliveryStatus;
  event?: EventId;
}

async function deliveries({ db, pages }: Work, tools: CommandTools, options: DeliveriesOptions) {
  const { publisher: publisherId, endpoint: endpointId, status, event: eventId } = options;
  const filter = { publisherId, endpointId, status, eventIds: eventId && [eventId] };
  const { rows, nextCursor } = await listDeliveries(db, await pages(), filter, pageOf(options));
  const shown = eventId === undefined ? null : await showEvent(db, publisherId, eventId);
  const event = shown === null ? {} : { ...shown, event: JSON.parse(shown.event) };
  printList(tools, options, {
    rows,
    nextCursor,
    json: { ...event, deliveries: rows, nextCursor },
    above: shown === null ? [] : [`${shown.kind}, ${shown.createdAt.toISOString()}\n${shown.event}\n`],
    columns: {
      EVENT: ({ eventId }) => eventId,
      KIND: ({ kind }) => kind,
      ENDPOINT: ({ endpointId }) => endpointId,
      STATUS: ({ status }) => status,
      ATTEMPTS: ({ attemptCount }) => String(attemptCount),
      LAST: ({ lastStatusCode, lastError }) => String(lastStatusCode ?? lastError ?? '-'),
      NEXT: ({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? '-',
    },
    empty: 'No deliveries.',
    below: shown?.attempts.flatMap(describeAttempt) ?? [],
  });
}

function describeAttempt(attempt: EventRecord['attempts'][number]): string[] {
  const { endpointId, attemptNumber, startedAt, durationMs, statusCode, error, answer } = attempt;
  const ended = `${durationMs} ms: ${statusCode ?? error}`;
  const line = `\n${endpointId}, attempt ${attemptNumber}, ${startedAt.toISOString()}, ${ended}`;
  return answer === '' ? [line] : [line, answer];
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
    throw new OperatorError('Either --event or --since is required.');
  const what = eventId === undefined ? { since: readSince(options.since ?? ''), all } : { eventId };
  const { replayed, underWay } = await replayDeliveries(db, actor, { publisherId, endpointId, ...what });
  if (options.json) {
    print(JSON.stringify({ replayed, underWay }));
    return;
  }
  print(`Resending ${replayed} deliver${replayed === 1 ? 'y' : 'ies'}.`);
  if (underWay > 0) print(`${underWay} more are being sent right now. Replay them if they fail.`);
  else if (replayed === 0)
    print(
      'No enabled endpoint receives these events, or all of them were delivered (--all resends delivered events).',
    );
}

function readSince(text: string): Date {
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
  // Checked here because commander's error message would repeat the secret.
  if (given !== undefined && !isSecret(given))
    throw new OperatorError(
      '--secret must be a secret as printed by `webhooks listen`: whsec_ and the base64 of 24 to 64 bytes. Without it, a new one is created.',
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
        print(
          `Listening to ${publisherId}${url === null ? '' : `, forwarding to ${url}`}. Press Ctrl-C to stop.`,
        );
        print(`The secret for this session: ${secret}`);
        if (given === undefined)
          print('Pass it as --secret next time, so that your receiver can keep using it.');
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
 * Returns a signal that is aborted on Ctrl-C or SIGTERM, or when the output closes. A second signal, which
 * npm may send, must not cut the cleanup short.
 */
function interrupted(outputClosed: AbortSignal): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort());
  return AbortSignal.any([controller.signal, outputClosed]);
}
