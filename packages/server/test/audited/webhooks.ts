import { sql } from 'kysely';
import { addEndpoint } from '../endpoints.ts';
import { answer, startReceiver } from '../receiver.ts';
import { secretsKey } from '../sealer.ts';
import type { AuditedOperation, House } from './house.ts';

const nowhere = 'http://127.0.0.1:1/';

async function add({ db }: House, url = nowhere): Promise<string> {
  const { endpointId } = await addEndpoint(db(), 'aurora', url, ['GroupManagement/NewMember']);
  return endpointId;
}

/**
 * Returns the operation for a command that succeeds for an existing endpoint and is rejected for a missing
 * endpoint.
 */
const ofEndpoint = (words: string, action: string, ...more: string[]): AuditedOperation => ({
  operation: `webhooks ${words}`,
  action: `webhook-endpoint.${action}`,
  async prepare(house) {
    const endpointId = await add(house);
    return () => house.run('webhooks', words, endpointId, ...more);
  },
  refused: ({ run }) => run('webhooks', words, 'we_none', ...more),
});

export const webhookOperations: AuditedOperation[] = [
  {
    operation: 'webhooks add',
    action: 'webhook-endpoint.create',
    prepare:
      async ({ run }) =>
      () =>
        run('webhooks', 'add', '--url', nowhere),
    refused: ({ run }) => run('webhooks', 'add', '--url', 'ftp://127.0.0.1/'),
  },
  ofEndpoint('change', 'change', '--url', 'http://127.0.0.1:2/'),
  ofEndpoint('off', 'disable'),
  {
    operation: 'webhooks on',
    action: 'webhook-endpoint.enable',
    async prepare(house) {
      const endpointId = await add(house);
      await house.run('webhooks', 'off', endpointId);
      return () => house.run('webhooks', 'on', endpointId);
    },
    refused: ({ run }) => run('webhooks', 'on', 'we_none'),
  },
  ofEndpoint('rotate-secret', 'rotate-secret'),
  {
    operation: 'webhooks rotate-secret',
    action: 'webhook-endpoint.finish-rotation',
    async prepare(house) {
      const endpointId = await add(house);
      await house.run('webhooks', 'rotate-secret', endpointId);
      return () => house.run('webhooks', 'rotate-secret', endpointId, '--finish');
    },
    refused: ({ run }) => run('webhooks', 'rotate-secret', 'we_none', '--finish'),
  },
  ofEndpoint('remove', 'remove'),
  {
    operation: 'webhooks test',
    action: 'webhook-endpoint.test',
    async prepare(house) {
      const receiver = await startReceiver(answer(200));
      const endpointId = await add(house, receiver.url);
      return () => house.run('webhooks', 'test', endpointId).finally(() => receiver.close());
    },
    refused: ({ run }) => run('webhooks', 'test', 'we_none'),
  },
  {
    operation: 'webhooks replay',
    action: 'webhook-delivery.replay',
    async prepare(house) {
      const endpointId = await add(house);
      await house.generate('main', `p-${endpointId}`);
      const [event] = await house.query(sql<{ event_id: string }>`
        select event_id from webhook_delivery where publisher_id = 'aurora' and endpoint_id = ${endpointId}`);
      return () =>
        house.run('webhooks', 'replay', '--event', event?.event_id ?? '', '--endpoint', endpointId);
    },
    refused: ({ run }) =>
      run('webhooks', 'replay', '--since', '2026-01-01T00:00:00Z', '--endpoint', 'we_none'),
  },
  {
    operation: 'secrets rotate',
    action: 'webhook-endpoint.reseal',
    async prepare(house) {
      const newer = Buffer.alloc(32, 'newer').toString('base64');
      const rotate = () =>
        house.runWith({ settings: { SECRETS_KEY: `${newer},${secretsKey}` } }, 'secrets', 'rotate');
      await rotate(); // secrets that other tests stored would get entries of their own
      await add(house);
      return rotate;
    },
    refused: ({ runWith }) => runWith({ settings: { SECRETS_KEY: 'no key' } }, 'secrets', 'rotate'),
  },
];
