import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { changeChannel } from '../../notifications/channels/change-channel.ts';
import { type Channel, channelKinds, channelVersion } from '../../notifications/channels/channel.ts';
import { createChannel } from '../../notifications/channels/create-channel.ts';
import { getChannel, listChannels } from '../../notifications/channels/list-channels.ts';
import { removeChannel } from '../../notifications/channels/remove-channel.ts';
import { switchChannel } from '../../notifications/channels/switch-channel.ts';
import { testChannel } from '../../notifications/channels/test-channel.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputName } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, nullable, oneOf, time, versionField } from '../schemas.ts';
import { choiceFields, toChoice, toFields } from './schemas.ts';

/** Maximum number of test messages per publisher. A test keeps its request open for up to 15 seconds. */
const testsPerMinute = 10;

const address = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Address of an incoming webhook. Stored encrypted and never returned.',
});

const channel = Type.Object(
  {
    channelId: Type.String(),
    kind: oneOf(channelKinds),
    name: Type.String(),
    addressHint: Type.String({ description: 'Host and last four characters of the address.' }),
    isEnabled: Type.Boolean(),
    disabledReason: nullable(
      Type.String({ description: 'Reason the service disabled the channel; null otherwise.' }),
    ),
    failureCount: Type.Integer({ minimum: 0, description: 'Failed attempts since the last success.' }),
    lastFailure: nullable(
      Type.String({ description: "Reason the last message couldn't be sent; null without failures." }),
    ),
    lastSentAt: nullable(time('Time of the last successful message.')),
    createdAt: time('Creation time.'),
    ...choiceFields,
    version: versionField,
  },
  { title: 'Channel', description: 'Slack or Discord channel that receives notifications.' },
);

const toAnswer = ({ urlHint, choice, ...rest }: Channel) => ({
  ...rest,
  addressHint: urlHint,
  ...toFields(choice),
  version: channelVersion({ name: rest.name, urlHint, choice }),
});

const path = { channelId: Type.String({ minLength: 1, maxLength: 64 }) };

export function channelRoutes(app: App, service: Service): void {
  const { operation } = adminOperations(app, 'Notifications');
  const { database, sealer, clock, sender, config, notifier } = service;
  const { db } = database;
  const rules = { hosts: config.channelHosts, allowPrivate: config.webhookAllowPrivateTargets };
  const tools = { db, sealer, rules };
  const tests = new TokenBuckets(testsPerMinute / 60, testsPerMinute);

  operation(
    ['get', '/publishers/:publisherId/channels', 'listChannels'],
    {
      may: 'team',
      summary: 'List the channels that receive notifications',
      answer: Type.Object({ rows: Type.Array(channel) }, { title: 'Channels' }),
    },
    async ({ params: { publisherId } }) => ({ rows: (await listChannels(db, publisherId)).map(toAnswer) }),
  );

  operation(
    ['get', '/publishers/:publisherId/channels/:channelId', 'getChannel'],
    { may: 'team', summary: 'Get a channel', path, answer: channel },
    async ({ params: { publisherId, channelId } }) =>
      toAnswer(await getChannel(db, { publisherId, channelId })),
  );

  operation(
    ['post', '/publishers/:publisherId/channels', 'createChannel'],
    {
      may: 'team',
      summary: 'Add a channel',
      body: Type.Object(
        { kind: oneOf(channelKinds), name: inputName, url: address, ...choiceFields },
        closed,
      ),
      answer: channel,
    },
    async ({ params: { publisherId }, body, actor }) => {
      const { kind, name, url } = body;
      const created = { publisherId, kind, name, url, choice: toChoice(body) };
      const channelId = await createChannel(tools, actor, created, clock.now());
      return toAnswer(await getChannel(db, { publisherId, channelId }));
    },
  );

  operation(
    ['put', '/publishers/:publisherId/channels/:channelId', 'changeChannel'],
    {
      may: 'team',
      summary: 'Change a channel',
      path,
      body: Type.Object(
        { version: editedVersion, name: inputName, url: Type.Optional(address), ...choiceFields },
        closed,
      ),
      answer: channel,
    },
    async ({ params: key, body, actor }) => {
      const { version, name, url } = body;
      await changeChannel(tools, actor, { ...key, version, name, url, choice: toChoice(body) }, clock.now());
      return toAnswer(await getChannel(db, key));
    },
  );

  operation(
    ['post', '/publishers/:publisherId/channels/:channelId/switch', 'switchChannel'],
    {
      may: 'team',
      summary: 'Enable or disable a channel',
      description: 'Enabling a channel clears its failures.',
      path,
      body: Type.Object({ isEnabled: Type.Boolean() }, closed),
      answer: channel,
    },
    async ({ params: key, body: { isEnabled }, actor }) => {
      await switchChannel(db, actor, { ...key, isEnabled });
      return toAnswer(await getChannel(db, key));
    },
  );

  operation(
    ['delete', '/publishers/:publisherId/channels/:channelId', 'removeChannel'],
    { may: 'team', summary: 'Remove a channel', path, answer: Type.Object({ removed: Type.Literal(true) }) },
    async ({ params: key, actor }) => {
      await removeChannel(db, actor, key);
      return { removed: true as const };
    },
  );

  operation(
    ['post', '/publishers/:publisherId/channels/:channelId/tests', 'testChannel'],
    {
      may: 'team',
      summary: "Send a test message now and return the channel's response",
      path,
      bodyIsOptional: true,
      answer: Type.Object(
        {
          isDelivered: Type.Boolean(),
          statusCode: nullable(
            Type.Integer({ description: 'Status of the response; null if there was none.' }),
          ),
          error: nullable(Type.String({ description: 'Reason there was no response.' })),
          durationMs: Type.Integer(),
          answer: Type.String({ description: 'Start of the response body.' }),
        },
        { title: 'ChannelTest' },
      ),
    },
    async ({ params: key, actor }) => {
      if (!tests.take(key.publisherId, clock.now().getTime()))
        throw new Refusal('RateLimited', 'You can send ten tests a minute. Try again in a few seconds.', {
          retryAfterSeconds: 6,
        });
      const { origin } = notifier;
      const { retryAfterMs, ...posted } = await testChannel({ db, sealer, sender, origin }, actor, key);
      return posted;
    },
  );
}
