import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { changeConnector } from '../../connectors/change-connector.ts';
import { changeSecret, finishSecretChange } from '../../connectors/change-secret.ts';
import { checkConnector } from '../../connectors/check-connector.ts';
import { readConnector } from '../../connectors/connector-record.ts';
import { createConnector } from '../../connectors/create-connector.ts';
import { listConnectors } from '../../connectors/list-connectors.ts';
import { providers } from '../../connectors/providers/all-providers.ts';
import { presets } from '../../connectors/providers/generic-presets.ts';
import { removeConnector } from '../../connectors/remove-connector.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { adminOperations } from '../admin-operations.ts';
import {
  connector,
  connectorChanges,
  connectorCheck,
  connectorList,
  connectorPath,
  newConnector,
  newSecret,
} from './schemas.ts';
import { showConnector, showProvider } from './show-connector.ts';

const one = '/publishers/:publisherId/connectors/:connectorId';

export function connectorRoutes(app: App, { database: { db }, sealer, clock }: Service): void {
  const { operation } = adminOperations(app, 'Connectors');

  operation(
    ['get', '/publishers/:publisherId/connectors', 'listConnectors'],
    { may: 'webhooks', summary: 'List connectors with the numbers of their events', answer: connectorList },
    async ({ params: { publisherId } }) => ({
      rows: (await listConnectors(db, publisherId, clock.now())).map((each) => ({
        ...showConnector(each),
        counts: each.counts,
        lastEventAt: each.lastEventAt,
        lastRecordedAt: each.lastRecordedAt,
      })),
      providers: providers.map(showProvider),
      presets: Object.entries(presets).map(([id, settings]) => ({ id, settings })),
    }),
  );

  operation(
    ['post', '/publishers/:publisherId/connectors', 'createConnector'],
    {
      may: 'webhooks',
      summary: 'Add a connector',
      description: 'The address for the provider is `path` at the service’s origin.',
      body: newConnector,
      answer: connector,
    },
    async ({ params: { publisherId }, body, actor }) => {
      const { name, provider, groupId = null, settings = {}, secret = null } = body;
      const made = await createConnector({ db, sealer, now: clock.now() }, actor, {
        ...{ publisherId, name, provider, groupId, settings, secret },
      });
      return showConnector(made);
    },
  );

  operation(
    ['get', one, 'getConnector'],
    { may: 'webhooks', summary: 'Get a connector', path: connectorPath, answer: connector },
    async ({ params: { publisherId, connectorId } }) =>
      showConnector(await readConnector(db, { publisherId, connectorId })),
  );

  operation(
    ['patch', one, 'changeConnector'],
    {
      may: 'webhooks',
      summary: 'Change or pause a connector',
      description: 'While it is paused, events are stored, and worked on when it continues.',
      path: connectorPath,
      body: connectorChanges,
      answer: connector,
    },
    async ({ params: { publisherId, connectorId }, body, actor }) =>
      showConnector(
        await changeConnector({ db, now: clock.now() }, actor, { publisherId, connectorId, ...body }),
      ),
  );

  operation(
    ['delete', one, 'removeConnector'],
    {
      may: 'webhooks',
      summary: 'Remove a connector',
      description: 'Its address answers 404 from then on. What it recorded stays.',
      path: connectorPath,
      answer: Type.Object({ removed: Type.Literal(true) }),
    },
    async ({ params: { publisherId, connectorId }, actor }) => {
      await removeConnector({ db, now: clock.now() }, actor, { publisherId, connectorId });
      return { removed: true as const };
    },
  );

  operation(
    ['post', `${one}/secrets`, 'changeConnectorSecret'],
    {
      may: 'webhooks',
      fresh: true,
      summary: 'Enter the signing secret',
      description: 'The secret from before is accepted too, until it is removed.',
      path: connectorPath,
      body: newSecret,
      answer: connector,
    },
    async ({ params: { publisherId, connectorId }, body: { secret }, actor }) =>
      showConnector(
        await changeSecret({ db, sealer, now: clock.now() }, actor, { publisherId, connectorId, secret }),
      ),
  );

  operation(
    ['delete', `${one}/secrets/old`, 'removeOldConnectorSecret'],
    {
      may: 'webhooks',
      fresh: true,
      summary: 'Remove the old signing secret',
      path: connectorPath,
      answer: connector,
    },
    async ({ params: { publisherId, connectorId }, actor }) =>
      showConnector(await finishSecretChange(db, actor, { publisherId, connectorId })),
  );

  operation(
    ['get', `${one}/check`, 'checkConnector'],
    {
      may: 'webhooks',
      summary: 'See how far a first event has come',
      description: 'Checks what arrived since a time: the signature, the code, and what was recorded.',
      path: connectorPath,
      query: { since: timestamp('Time at which the check was started.') },
      answer: connectorCheck,
    },
    ({ params: { publisherId, connectorId }, query: { since } }) =>
      checkConnector({ db, sealer }, { publisherId, connectorId }, readTimestamp(since)),
  );
}
