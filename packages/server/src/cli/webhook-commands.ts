import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../platform/clock.ts';
import type { EndpointId } from '../platform/database/tables.generated.ts';
import { toEndpointId, toEventId } from '../platform/ids.ts';
import { removeEndpoint, switchEndpoint } from '../webhooks/endpoints/manage-endpoints.ts';
import type { CommandTools } from './command-tools.ts';
import { listenCommand } from './listen.ts';
import {
  addWebhookCommand,
  changeWebhookCommand,
  type DeliveriesOptions,
  deliveriesCommand,
  listWebhooksCommand,
  replayCommand,
  rotateSecretCommand,
  testWebhookCommand,
} from './webhooks.ts';

const publisher = (): Option => new Option('--publisher <id>', 'the publisher').makeOptionMandatory();
const json = (): Option => new Option('--json', 'print JSON');
const events = (what: string): Option =>
  new Option('--events <list>', `${what}, with commas between, or all (docs/webhooks.md)`);

/** webhooks: where a publisher is told of what happens. */
export function addWebhookCommands(program: Command, tools: CommandTools): void {
  const { withDatabase, print, config, fail } = tools;
  const webhooks = program
    .command('webhooks')
    .description('Tell publishers what happens, by signed HTTP requests.');
  const allowPrivate = (): boolean => config().webhookAllowPrivateTargets;
  webhooks
    .command('add')
    .description('Add an endpoint and print its secret, once.')
    .addOption(publisher())
    .requiredOption('--url <url>', 'where to send events')
    .addOption(events('what it is told of; the three of the contract when absent'))
    .addOption(json())
    .action((options) =>
      withDatabase((db, sealer) => addWebhookCommand(db, allowPrivate(), options, print, sealer)),
    );
  webhooks
    .command('list')
    .description('List endpoints and how they are.')
    .addOption(publisher())
    .addOption(json())
    .action((options) => withDatabase((db) => listWebhooksCommand(db, options, print)));
  webhooks
    .command('change')
    .argument('<endpointId>', '', toEndpointId)
    .description('Change where an endpoint is or what it is told of.')
    .addOption(publisher())
    .option('--url <url>', 'where to send events')
    .addOption(events('what it is told of'))
    .addOption(json())
    .action((endpointId: EndpointId, options) =>
      withDatabase((db) => changeWebhookCommand(db, allowPrivate(), endpointId, options, print)),
    );
  webhooks
    .command('test')
    .argument('<endpointId>', '', toEndpointId)
    .description('Send a test event now and show the answer (exit code 1 unless it is 200).')
    .addOption(publisher())
    .addOption(json())
    .action((endpointId: EndpointId, options) =>
      withDatabase(async (db, sealer) => {
        if (!(await testWebhookCommand(db, allowPrivate(), endpointId, options, print, sealer))) fail();
      }),
    );
  webhooks
    .command('rotate-secret')
    .argument('<endpointId>', '', toEndpointId)
    .description('Give an endpoint a new secret; both sign until --finish, or for 24 hours.')
    .addOption(publisher())
    .option('--finish', 'end the rotation: the old secret signs no more')
    .addOption(json())
    .action((endpointId: EndpointId, options) =>
      withDatabase((db, sealer) => rotateSecretCommand(db, systemClock, endpointId, options, print, sealer)),
    );
  addSwitches(webhooks, tools);
  addDeliveries(webhooks, tools);
  webhooks
    .command('listen')
    .description('Print events as they happen, and forward them to a receiver in development.')
    .addOption(publisher())
    .option('--forward <url>', 'send each event there, once')
    .addOption(events('what to listen to; all when absent'))
    .addOption(json())
    .action((options) =>
      withDatabase((db, sealer) =>
        listenCommand(db, systemClock, options, interrupted(tools.outputClosed), print, sealer),
      ),
    );
}

function addSwitches(webhooks: Command, { withDatabase, print }: CommandTools): void {
  const done = (endpointId: string, what: string, { json }: { json?: boolean }): void =>
    print(json ? JSON.stringify({ endpointId, state: what }) : `${endpointId} is ${what}.`);
  for (const [name, description, isEnabled] of [
    ['on', 'Switch an endpoint on; what it missed can be replayed.', true],
    ['off', 'Switch an endpoint off: it is sent nothing, and events are kept for it.', false],
  ] as const) {
    webhooks
      .command(name)
      .argument('<endpointId>', '', toEndpointId)
      .description(description)
      .addOption(publisher())
      .addOption(json())
      .action((endpointId: EndpointId, options: { publisher: string; json?: boolean }) =>
        withDatabase(async (db) => {
          await switchEndpoint(db, options.publisher, endpointId, isEnabled);
          done(endpointId, name, options);
        }),
      );
  }
  webhooks
    .command('remove')
    .argument('<endpointId>', '', toEndpointId)
    .description('Remove an endpoint.')
    .addOption(publisher())
    .addOption(json())
    .action((endpointId: EndpointId, options: { publisher: string; json?: boolean }) =>
      withDatabase(async (db) => {
        await removeEndpoint(db, options.publisher, endpointId);
        done(endpointId, 'removed', options);
      }),
    );
}

function addDeliveries(webhooks: Command, { withDatabase, print }: CommandTools): void {
  webhooks
    .command('deliveries')
    .description('Show deliveries, newest first; with --event, every attempt of it.')
    .addOption(publisher())
    .option('--endpoint <id>', 'of this endpoint', toEndpointId)
    .addOption(new Option('--status <status>', 'of this status').choices(['Pending', 'Delivered', 'Failed']))
    .option('--event <id>', 'of this event', toEventId)
    .option('--limit <number>', 'how many, 1 to 1000', readLimit, 50)
    .addOption(json())
    .action((options: DeliveriesOptions) => withDatabase((db) => deliveriesCommand(db, options, print)));
  webhooks
    .command('replay')
    .description('Send events again: one, or those since a moment that were not delivered.')
    .addOption(publisher())
    .option('--event <id>', 'this event', toEventId)
    .option('--since <timestamp>', 'events from then on')
    .option('--endpoint <id>', 'to this endpoint alone', toEndpointId)
    .option('--all', 'with --since: also what was delivered')
    .addOption(json())
    .action((options) => withDatabase((db) => replayCommand(db, options, print)));
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1_000) throw new InvalidArgumentError('It must be a whole number from 1 to 1000.');
  return limit;
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
