import type { Command } from 'commander';
import { systemClock } from '../platform/clock.ts';
import type { EndpointId } from '../platform/database/tables.generated.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { Refusal } from '../platform/refusal.ts';
import { createSender } from '../webhooks/delivery/send/send-request.ts';
import { changeEndpoint } from '../webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '../webhooks/endpoints/create-endpoint.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint-record.ts';
import { finishRotation } from '../webhooks/endpoints/finish-rotation.ts';
import { listEndpoints } from '../webhooks/endpoints/list-endpoints.ts';
import { removeEndpoint } from '../webhooks/endpoints/remove-endpoint.ts';
import { rotateSecret } from '../webhooks/endpoints/rotate-secret.ts';
import { sendTest } from '../webhooks/endpoints/send-test.ts';
import { switchEndpoint } from '../webhooks/endpoints/switch-endpoint.ts';
import { defaultEventKinds, type EventKind, eventKinds } from '../webhooks/event-kinds.ts';
import { inDatabase, jsonOption, type PublisherOptions, publisherOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { eventsOption, readEventKinds } from './print/event-kinds-option.ts';
import { printList } from './print/print-list.ts';
import { addEventCommands } from './webhook-events.ts';

export function addWebhookCommands(program: Command, tools: CommandTools): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhook endpoints, and show, resend and watch events.');
  const command = (name: string, description: string): Command =>
    webhooks.command(name).description(description).addOption(publisherOption()).addOption(jsonOption());
  const ofEndpoint = (name: string, description: string): Command =>
    command(name, description).argument('<endpointId>');

  command('add', 'Add an endpoint and print its secret once.')
    .requiredOption('--url <url>', 'URL that receives the events')
    .addOption(eventsOption('events to send (default: the three events in the contract)'))
    .action(inDatabase(tools, (work, options: AddOptions) => add(work, tools, options)));
  command('list', 'List endpoints and their states.').action(
    inDatabase(tools, (work, options: PublisherOptions) => list(work, tools, options)),
  );
  ofEndpoint('change', 'Change the URL or the events of an endpoint.')
    .option('--url <url>', 'URL that receives the events')
    .addOption(eventsOption('events to send'))
    .action(
      inDatabase(tools, (work, id: EndpointId, options: ChangeOptions) => change(work, tools, id, options)),
    );
  ofEndpoint(
    'test',
    'Send a test event now and show the response (exit code 1 unless its status is 200).',
  ).action(
    inDatabase(tools, (work, id: EndpointId, options: PublisherOptions) => test(work, tools, id, options)),
  );
  ofEndpoint(
    'rotate-secret',
    "Rotate an endpoint's secret. Both secrets sign for 24 hours, or until --finish.",
  )
    .option('--finish', 'end the rotation: the old secret stops signing')
    .action(
      inDatabase(tools, (work, id: EndpointId, options: RotateOptions) => rotate(work, tools, id, options)),
    );
  for (const [name, description, isEnabled] of [
    ['on', 'Enable an endpoint. Events that it missed can be replayed.', true],
    ['off', 'Disable an endpoint. Its events are stored but not sent.', false],
  ] as const)
    ofEndpoint(name, description).action(
      inDatabase(tools, async ({ db, actor }, endpointId: EndpointId, options: PublisherOptions) => {
        await switchEndpoint(db, actor, { publisherId: options.publisher, endpointId, isEnabled });
        printState(tools, endpointId, name, options);
      }),
    );
  ofEndpoint('remove', 'Remove an endpoint.').action(
    inDatabase(tools, async ({ db, actor }, endpointId: EndpointId, options: PublisherOptions) => {
      await removeEndpoint(db, actor, { publisherId: options.publisher, endpointId });
      printState(tools, endpointId, 'removed', options);
    }),
  );
  addEventCommands(command, tools);
}

interface AddOptions extends PublisherOptions {
  url: string;
  events?: string;
}

async function add({ db, sealer, actor }: Work, { config, print }: CommandTools, options: AddOptions) {
  const allowPrivateTargets = config().webhookAllowPrivateTargets;
  const kinds = options.events === undefined ? defaultEventKinds : readEventKinds(options.events);
  const { endpointId, secret, url, warning } = await createEndpoint(
    { db, sealer, allowPrivateTargets },
    actor,
    { publisherId: options.publisher, url: options.url, eventKinds: kinds },
  );
  if (options.json) {
    print(JSON.stringify({ endpointId, url, events: kinds, secret }));
    return;
  }
  print(`${secret}\n\nThis is the secret of endpoint ${endpointId}. Save it now: it is not shown again.`);
  print(`Events: ${kinds.join(', ')}.`);
  if (warning !== null) print(`\n${warning}`);
  print(`Try it: ${asTyped('webhooks test')} ${endpointId} --publisher ${options.publisher}`);
}

interface ChangeOptions extends PublisherOptions {
  url?: string;
  events?: string;
}

async function change(
  { db, actor }: Work,
  { config, print }: CommandTools,
  endpointId: EndpointId,
  { publisher, url, events, json }: ChangeOptions,
): Promise<void> {
  if (url === undefined && events === undefined) throw new OperatorError('--url or --events is required.');
  const { isChanged, warning } = await changeEndpoint(
    { db, allowPrivateTargets: config().webhookAllowPrivateTargets },
    actor,
    {
      publisherId: publisher,
      endpointId,
      url,
      eventKinds: events === undefined ? undefined : readEventKinds(events),
    },
  );
  if (json) print(JSON.stringify({ endpointId, changed: isChanged }));
  else print(isChanged ? `Changed ${endpointId}.` : `${endpointId} is unchanged.`);
  if (!json && warning !== null) print(warning);
}

async function list({ db }: Work, tools: CommandTools, options: PublisherOptions): Promise<void> {
  const { publisher } = options;
  const endpoints = await listEndpoints(db, publisher, systemClock.now());
  printList(tools, options, {
    rows: endpoints,
    json: endpoints.map(toJson),
    columns: {
      ID: ({ endpointId }) => endpointId,
      STATE: stateOf,
      URL: ({ url }) => url,
      EVENTS: ({ eventKinds }) => describeEvents(eventKinds),
    },
    empty: `Publisher ${publisher} has no webhook endpoints. Add one with \`${asTyped('webhooks add')}\`.`,
  });
}

function stateOf(endpoint: WebhookEndpoint): string {
  const { isEnabled, isListener, disabledReason, failingSince, rotationStartedAt } = endpoint;
  if (isListener) return 'listening';
  if (!isEnabled) return `off: ${disabledReason ?? 'disabled'}`;
  const rotating = rotationStartedAt === null ? '' : ', secret rotating';
  return (failingSince === null ? 'on' : `on, failing since ${failingSince.toISOString()}`) + rotating;
}

const describeEvents = (kinds: readonly EventKind[]): string =>
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

const printState = (
  { print }: CommandTools,
  endpointId: EndpointId,
  state: string,
  { json }: PublisherOptions,
): void => print(json ? JSON.stringify({ endpointId, state }) : `${endpointId} is ${state}.`);

async function test(
  { db, sealer, actor }: Work,
  { config, print, fail }: CommandTools,
  endpointId: EndpointId,
  { publisher, json }: PublisherOptions,
): Promise<void> {
  const clock = systemClock;
  const sender = createSender({ clock, allowPrivateTargets: config().webhookAllowPrivateTargets });
  try {
    const key = { publisherId: publisher, endpointId };
    const sent = await sendTest({ db, sender, sealer, clock }, actor, key);
    const { eventId, url, statusCode, error, durationMs } = sent;
    const answer = sent.answer.toString('utf8');
    const isDelivered = statusCode === 200;
    if (!isDelivered) fail();
    if (json) {
      print(JSON.stringify({ eventId, url, delivered: isDelivered, statusCode, error, durationMs, answer }));
      return;
    }
    print(`Sent test event ${eventId} to ${url}`);
    print(
      isDelivered
        ? `Delivered: 200 in ${durationMs} ms.`
        : `Not delivered: ${statusCode === null ? error : `status ${statusCode} instead of 200`} (${durationMs} ms).`,
    );
    if (answer !== '') print(`\n${answer}`);
  } finally {
    await sender.close();
  }
}

interface RotateOptions extends PublisherOptions {
  finish?: boolean;
}

async function rotate(
  { db, sealer, actor }: Work,
  { print }: CommandTools,
  endpointId: EndpointId,
  { publisher, finish, json }: RotateOptions,
): Promise<void> {
  const key = { publisherId: publisher, endpointId };
  const now = systemClock.now();
  if (finish) {
    await finishRotation(db, actor, key, now);
    print(
      json ? JSON.stringify({ endpointId, rotating: false }) : 'The old secret stops signing within seconds.',
    );
    return;
  }
  const finishing = `${asTyped('webhooks rotate-secret')} ${endpointId} --publisher ${publisher} --finish`;
  const secret = await rotateSecret({ db, sealer }, actor, key, now).catch((error) => {
    if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
    throw new OperatorError(error.message.replace(/\.$/, `: ${finishing}`));
  });
  if (json) {
    print(JSON.stringify({ endpointId, rotating: true, secret }));
    return;
  }
  print(`${secret}\n\nThis is the new secret of ${endpointId}. Save it now: it is not shown again.`);
  print('For 24 hours, both secrets sign webhook-signature, and the old one signs x-webhook-signature-256.');
  print(`Once your receiver uses the new secret, run: ${finishing}`);
}
