import { type Clock, systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { EndpointId, EventId } from '../platform/database/tables.generated.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { type DeliveryStatus, listDeliveries, showEvent } from '../webhooks/delivery/read-deliveries.ts';
import { replayDeliveries } from '../webhooks/delivery/replay-deliveries.ts';
import { createResolver } from '../webhooks/delivery/resolve-host.ts';
import { createSender } from '../webhooks/delivery/send-request.ts';
import { readTarget, requirePublicAddress } from '../webhooks/endpoints/address-guard.ts';
import {
  addEndpoint,
  changeEndpoint,
  endRotation,
  listEndpoints,
  startRotation,
  type WebhookEndpoint,
} from '../webhooks/endpoints/manage-endpoints.ts';
import { sendTest } from '../webhooks/endpoints/send-test.ts';
import { defaultEventKinds, type EventKind, eventKinds } from '../webhooks/event-kinds.ts';
import { printTable } from './print-table.ts';

type Print = (line: string) => void;
interface Common {
  publisher: string;
  json?: boolean;
}

/** @param text kinds with commas between, an event's action alone, or `all` */
export function readEventKinds(text: string | undefined): readonly EventKind[] {
  if (text === undefined) return defaultEventKinds;
  if (text === 'all') return eventKinds;
  const found = text.split(',').map((part) => {
    const wanted = part.trim().toLowerCase();
    const kind = eventKinds.find(
      (each) => each.toLowerCase() === wanted || each.toLowerCase().endsWith(`/${wanted}`),
    );
    if (kind === undefined)
      throw new OperatorError(
        `There is no event ${part.trim()}. There are: ${eventKinds.join(', ')}; or all.`,
      );
    return kind;
  });
  return [...new Set(found)];
}

export async function addWebhookCommand(
  db: Db,
  allowPrivate: boolean,
  options: Common & { url: string; events?: string },
  print: Print,
  sealer: Sealer,
): Promise<void> {
  const eventKinds = readEventKinds(options.events);
  const { url, warning } = await checkTarget(options.url, allowPrivate);
  const { endpointId, secret } = await addEndpoint(db, options.publisher, { url, eventKinds }, sealer);
  if (options.json) {
    print(JSON.stringify({ endpointId, url, events: eventKinds, secret }));
    return;
  }
  print(`${secret}\n\nThis is the secret of endpoint ${endpointId}. It is not shown again: keep it now.`);
  print(`It is told of ${eventKinds.join(', ')}.`);
  if (warning !== null) print(`\n${warning}`);
  print(`Try it: ${asTyped('webhooks test')} ${endpointId} --publisher ${options.publisher}`);
}

export async function changeWebhookCommand(
  db: Db,
  allowPrivate: boolean,
  endpointId: EndpointId,
  options: Common & { url?: string; events?: string },
  print: Print,
): Promise<void> {
  if (options.url === undefined && options.events === undefined)
    throw new OperatorError('Say what to change: --url, --events or both.');
  const target = options.url === undefined ? null : await checkTarget(options.url, allowPrivate);
  const changes = {
    url: target?.url,
    eventKinds: options.events === undefined ? undefined : readEventKinds(options.events),
  };
  await changeEndpoint(db, options.publisher, endpointId, changes);
  print(options.json ? JSON.stringify({ endpointId, changed: true }) : `Changed ${endpointId}.`);
  if (!options.json && target?.warning) print(target.warning);
}

/** A name may not be known yet; one that leads inside is refused now rather than at the first event. */
async function checkTarget(
  text: string,
  allowPrivate: boolean,
): Promise<{ url: string; warning: string | null }> {
  const url = readTarget(text, allowPrivate);
  const plain =
    url.protocol === 'http:' ? 'The address is http: anybody on the way can read what is sent.' : null;
  if (allowPrivate) return { url: url.href, warning: plain };
  const found = await createResolver({ useHostsFile: true })(url.hostname).catch(() => null);
  for (const { address } of found ?? []) requirePublicAddress(address);
  const unknown = found === null ? `${url.hostname} has no address that can be found from here, now.` : null;
  return { url: url.href, warning: unknown ?? plain };
}

export async function listWebhooksCommand(db: Db, options: Common, print: Print): Promise<void> {
  const endpoints = await listEndpoints(db, options.publisher, systemClock.now());
  if (options.json) {
    print(JSON.stringify(endpoints.map(toJson)));
    return;
  }
  if (endpoints.length === 0) {
    print(
      `Publisher ${options.publisher} has no webhook endpoints. Add one with \`${asTyped('webhooks add')}\`.`,
    );
    return;
  }
  printTable(
    ['ID', 'STATE', 'URL', 'EVENTS'],
    endpoints.map((each) => [each.endpointId, state(each), each.url, eventsInWords(each.eventKinds)]),
    print,
  );
}

function state({
  isEnabled,
  isListener,
  disabledReason,
  failingSince,
  rotationStartedAt,
}: WebhookEndpoint): string {
  if (isListener) return 'listening';
  if (!isEnabled) return `off: ${disabledReason ?? 'switched off'}`;
  const rotating = rotationStartedAt === null ? '' : ', secret rotating';
  return (failingSince === null ? 'on' : `on, failing since ${failingSince.toISOString()}`) + rotating;
}

const eventsInWords = (kinds: readonly EventKind[]): string =>
  kinds.length === eventKinds.length ? 'all' : kinds.map((kind) => kind.split('/')[1]).join(', ');

const toJson = (each: WebhookEndpoint) => ({
  endpointId: each.endpointId,
  url: each.url,
  events: each.eventKinds,
  enabled: each.isEnabled,
  ...(each.isListener && { listener: true }),
  ...(each.disabledReason !== null && { disabledReason: each.disabledReason }),
  ...(each.failingSince !== null && { failingSince: each.failingSince }),
  ...(each.rotationStartedAt !== null && { rotationStartedAt: each.rotationStartedAt }),
  createdAt: each.createdAt,
});

/** @returns whether the endpoint answered 200 */
export async function testWebhookCommand(
  db: Db,
  allowPrivateTargets: boolean,
  endpointId: EndpointId,
  options: Common,
  print: Print,
  sealer: Sealer,
): Promise<boolean> {
  const sender = createSender({ clock: systemClock, allowPrivateTargets });
  try {
    const { eventId, url, statusCode, error, durationMs, answer } = await sendTest(
      db,
      sender,
      systemClock,
      options.publisher,
      endpointId,
      sealer,
    );
    const isDelivered = statusCode === 200;
    const text = answer.toString('utf8');
    if (options.json) {
      print(
        JSON.stringify({ eventId, url, delivered: isDelivered, statusCode, error, durationMs, answer: text }),
      );
      return isDelivered;
    }
    print(`Sent test event ${eventId} to ${url}`);
    print(
      isDelivered
        ? `Delivered: 200 in ${durationMs} ms.`
        : `Not delivered: ${statusCode === null ? error : `status ${statusCode}, and only 200 counts`} (${durationMs} ms).`,
    );
    if (text !== '') print(`\n${text}`);
    return isDelivered;
  } finally {
    await sender.close();
  }
}

export async function rotateSecretCommand(
  db: Db,
  clock: Clock,
  endpointId: EndpointId,
  options: Common & { finish?: boolean },
  print: Print,
  sealer: Sealer,
): Promise<void> {
  if (options.finish) {
    await endRotation(db, options.publisher, endpointId, clock.now());
    print(
      options.json
        ? JSON.stringify({ endpointId, rotating: false })
        : 'Within seconds the old secret signs no more.',
    );
    return;
  }
  const secret = await startRotation(db, options.publisher, endpointId, clock.now(), sealer);
  if (options.json) {
    print(JSON.stringify({ endpointId, rotating: true, secret }));
    return;
  }
  print(`${secret}\n\nThis is the new secret of ${endpointId}. It is not shown again: keep it now.`);
  print('For 24 hours both secrets sign webhook-signature, and the old one x-webhook-signature-256.');
  print(
    `When your receiver has the new one: ${asTyped('webhooks rotate-secret')} ${endpointId} --publisher ${options.publisher} --finish`,
  );
}

export interface DeliveriesOptions extends Common {
  endpoint?: EndpointId;
  status?: DeliveryStatus;
  event?: EventId;
  limit: number;
}

export async function deliveriesCommand(db: Db, options: DeliveriesOptions, print: Print): Promise<void> {
  const { publisher, endpoint, status, event, limit, json } = options;
  const deliveries = await listDeliveries(
    db,
    publisher,
    { endpointId: endpoint, status, eventId: event },
    limit,
  );
  const shown = event === undefined ? null : await showEvent(db, publisher, event);
  if (json) {
    print(
      JSON.stringify(shown === null ? deliveries : { ...shown, event: JSON.parse(shown.event), deliveries }),
    );
    return;
  }
  if (shown !== null) print(`${shown.kind}, ${shown.createdAt.toISOString()}\n${shown.event}\n`);
  if (deliveries.length === 0) {
    print('No deliveries.');
    return;
  }
  printTable(
    ['EVENT', 'KIND', 'ENDPOINT', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT'],
    deliveries.map((each) => [
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
  for (const attempt of shown?.attempts ?? []) {
    const { endpointId, attemptNumber, startedAt, durationMs, statusCode, error, answer } = attempt;
    print(
      `\n${endpointId}, attempt ${attemptNumber}, ${startedAt.toISOString()}, ${durationMs} ms: ${statusCode ?? error}`,
    );
    if (answer !== '') print(answer);
  }
}

export async function replayCommand(
  db: Db,
  options: Common & { event?: EventId; since?: string; endpoint?: EndpointId; all?: boolean },
  print: Print,
): Promise<void> {
  const { publisher, event, endpoint, all, json } = options;
  if ((event === undefined) === (options.since === undefined))
    throw new OperatorError('Say what to replay: --event <id>, or --since <timestamp>.');
  const since = options.since === undefined ? undefined : readMoment(options.since);
  const wanted = { eventId: event, since, endpointId: endpoint, all };
  const { replayed, underWay } = await replayDeliveries(db, publisher, wanted);
  if (json) {
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
