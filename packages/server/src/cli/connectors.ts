import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { changeSecret, finishSecretChange } from '../connectors/change-secret.ts';
import { createConnector } from '../connectors/create-connector.ts';
import { type EventDetail, readEvent } from '../connectors/events/read-event.ts';
import { replayEvents } from '../connectors/events/replay-events.ts';
import { type ListedConnector, listConnectors } from '../connectors/list-connectors.ts';
import { polledProviderOf, providerIds } from '../connectors/providers/all-providers.ts';
import { removeConnector } from '../connectors/remove-connector.ts';
import { sendTest } from '../connectors/send-test.ts';
import { systemClock } from '../platform/clock.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import {
  inDatabase,
  jsonOption,
  type PublisherOptions,
  publisherOption,
  toJson,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';

export function addConnectorCommands(program: Command, tools: CommandTools): void {
  const connectors = program
    .command('connectors')
    .description('Manage connectors, which receive the webhooks of payment providers.');
  const command = (name: string, description: string): Command =>
    connectors.command(name).description(description).addOption(publisherOption()).addOption(jsonOption());
  const ofConnector = (name: string, description: string): Command =>
    command(name, description).argument('<connectorId>');

  command('add', 'Add a connector and print the path for the provider, or its id if the provider is polled.')
    .requiredOption('--name <name>', 'name of the shop')
    .addOption(
      new Option('--provider <provider>', 'payment provider').choices([...providerIds]).makeOptionMandatory(),
    )
    .option('--group <id>', 'id of the creator group (default: the default group)')
    .option('--settings <json>', 'settings as JSON (docs/connectors.md)')
    .action(inDatabase(tools, (work, options: AddOptions) => add(work, tools, options)));
  command('list', 'List connectors with the numbers of their events.').action(
    inDatabase(tools, (work, options: PublisherOptions) => list(work, tools, options)),
  );
  ofConnector(
    'secret',
    'Enter the secret of the provider. An old signing secret is accepted too, until --finish.',
  )
    .option('--file <file>', 'file with the secret, or - for standard input', '-')
    .option('--finish', 'remove the old secret')
    .action(
      inDatabase(tools, (work, id: string, options: SecretOptions) => enterSecret(work, tools, id, options)),
    );
  ofConnector('test', 'Send a signed test event the whole way, and show what became of it.')
    .requiredOption('--code <code>', 'creator code of the order')
    .option('--fixture <name>', 'test event', 'order_paid')
    .option('--order <orderId>', 'order of an earlier test, for a refund or dispute of it')
    .action(inDatabase(tools, (work, id: string, options: TestOptions) => test(work, tools, id, options)));
  ofConnector('replay', 'Replay an event, or all failed events, with the present settings.')
    .option('--event <eventId>', 'only this event')
    .action(
      inDatabase(tools, (work, id: string, options: PublisherOptions & { event?: string }) =>
        replay(work, tools, id, options),
      ),
    );
  ofConnector('remove', 'Remove a connector. What it recorded stays.').action(
    inDatabase(tools, async ({ db, actor }, connectorId: string, { publisher, json }: PublisherOptions) => {
      await removeConnector({ db, now: systemClock.now() }, actor, { publisherId: publisher, connectorId });
      tools.print(json ? toJson({ connectorId, removed: true }) : `${connectorId} is removed.`);
    }),
  );
}

interface AddOptions extends PublisherOptions {
  name: string;
  provider: string;
  group?: string;
  settings?: string;
}

async function add(
  { db, sealer, actor }: Work,
  { print }: CommandTools,
  { publisher, name, provider, group, settings = '{}', json }: AddOptions,
): Promise<void> {
  const { connectorId } = await createConnector({ db, sealer, now: systemClock.now() }, actor, {
    ...{ publisherId: publisher, name, provider, groupId: group ?? null, secret: null },
    settings: readSettings(settings),
  });
  const polled = polledProviderOf(provider);
  const path = polled === null ? `/hooks/v1/${connectorId}` : null;
  if (json) {
    print(toJson({ connectorId, path }));
    return;
  }
  const secretCommand = `${asTyped('connectors secret')} ${connectorId} --publisher ${publisher}`;
  if (path === null) {
    print(`${connectorId}\n\nThis is the id of the connector, under which your back end names orders.`);
    print(`Then enter the ${polled?.secretName}, with which the report is read: ${secretCommand}`);
    return;
  }
  print(`${path}\n\nThis is the path of the address for the provider, at the origin of the service.`);
  print(`Then enter its signing secret: ${secretCommand}`);
}

function readSettings(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError('--settings must be JSON, such as {"usesPlayerCode": true}.');
  }
}

async function list({ db }: Work, tools: CommandTools, options: PublisherOptions): Promise<void> {
  const rows = await listConnectors(db, options.publisher, systemClock.now());
  printList(tools, options, {
    rows,
    json: rows.map(({ version: _version, publisherId: _publisher, ...row }) => row),
    columns: {
      ID: ({ connectorId }) => connectorId,
      NAME: ({ name }) => name,
      PROVIDER: ({ provider }) => provider,
      STATE: stateOf,
      DONE: ({ counts }) => String(counts.done),
      WAITING: ({ counts }) => String(counts.waiting),
      IGNORED: ({ counts }) => String(counts.ignored),
      FAILED: ({ counts }) => String(counts.failed),
    },
    empty: `Publisher ${options.publisher} has no connectors. Add one with \`${asTyped('connectors add')}\`.`,
  });
}

function stateOf({ hasSecret, pausedAt, rotationStartedAt, poll }: ListedConnector): string {
  if (!hasSecret) return 'no secret';
  if (pausedAt !== null) return 'paused';
  if (poll?.failing != null) return 'polling fails';
  return rotationStartedAt === null ? 'on' : 'on, two secrets';
}

interface SecretOptions extends PublisherOptions {
  file: string;
  finish?: boolean;
}

async function enterSecret(
  { db, sealer, actor }: Work,
  { print, readText }: CommandTools,
  connectorId: string,
  { publisher, file, finish, json }: SecretOptions,
): Promise<void> {
  const key = { publisherId: publisher, connectorId };
  const { rotationStartedAt } = finish
    ? await finishSecretChange(db, actor, key)
    : await changeSecret({ db, sealer, now: systemClock.now() }, actor, {
        ...key,
        secret: await readText(file),
      });
  if (json) print(toJson({ connectorId, rotating: rotationStartedAt !== null }));
  else if (finish) print('Only the new secret is accepted.');
  else
    print(
      rotationStartedAt === null
        ? 'The secret is saved, and used from now on.'
        : `Both secrets are accepted. Once the provider uses the new one, run: ${asTyped('connectors secret')} ${connectorId} --publisher ${publisher} --finish`,
    );
}

interface TestOptions extends PublisherOptions {
  code: string;
  fixture: string;
  order?: string;
}

/** Time for which the command waits for a process of the service to work on its event. */
const waitMs = 10_000;
const pollMs = 200;

async function test(
  { db, sealer, actor }: Work,
  { print, fail }: CommandTools,
  connectorId: string,
  { publisher, code, fixture, order, json }: TestOptions,
): Promise<void> {
  const key = { publisherId: publisher, connectorId };
  const { eventId, orderId } = await sendTest({ db, sealer, now: systemClock.now() }, actor, {
    ...{ ...key, fixture, code, orderId: order ?? null },
  });
  const end = performance.now() + waitMs;
  let event = await readEvent({ db, sealer }, { ...key, eventId });
  while (event.reason === 'New' && performance.now() < end) {
    await sleep(pollMs);
    event = await readEvent({ db, sealer }, { ...key, eventId });
  }
  if (event.status !== 'Done') fail();
  if (json)
    print(toJson({ eventId, orderId, status: event.status, reason: event.reason, message: event.message }));
  else print(`Order ${orderId}: ${describe(event)}`);
}

function describe({ status, reason, message, problem }: EventDetail): string {
  if (reason === 'New') return 'the event is stored. Start the service, which works on it.';
  return `${status}, ${reason}.${message === null && problem === null ? '' : ` ${message ?? problem}`}`;
}

async function replay(
  { db, sealer, actor }: Work,
  { print }: CommandTools,
  connectorId: string,
  { publisher, event, json }: PublisherOptions & { event?: string },
): Promise<void> {
  const { replayed, isMoreLeft } = await replayEvents({ db, sealer, now: systemClock.now() }, actor, {
    ...{ publisherId: publisher, connectorId, eventId: event ?? null },
  });
  if (json) print(toJson({ replayed, isMoreLeft }));
  else
    print(
      `${replayed} event(s) are worked on again.${isMoreLeft ? ' More events failed. Run the command again.' : ''}`,
    );
}
