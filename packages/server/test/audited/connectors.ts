import { createConnector } from '../../src/connectors/create-connector.ts';
import { sendTest } from '../../src/connectors/send-test.ts';
import { testSealer } from '../sealer.ts';
import { testActor } from '../test-actor.ts';
import type { AuditedOperation, House } from './house.ts';

const input = 'whsec_0123456789abcdef';

let names = 0;

async function add({ db }: House, secret: string | null = input): Promise<string> {
  names += 1;
  const { connectorId } = await createConnector(
    { db: db(), sealer: testSealer, now: new Date() },
    testActor,
    {
      ...{ publisherId: 'aurora', name: `shop ${names}`, provider: 'stripe', groupId: null, settings: {} },
      secret,
    },
  );
  return connectorId;
}

const test = ({ db }: House, connectorId: string, code: string) =>
  sendTest({ db: db(), sealer: testSealer, now: new Date() }, testActor, {
    ...{ publisherId: 'aurora', connectorId, fixture: 'order_paid', code, orderId: null },
  });

export const connectorOperations: AuditedOperation[] = [
  {
    operation: 'connectors add',
    action: 'connector.create',
    prepare:
      async ({ run }) =>
      () =>
        run('connectors', 'add', '--name', 'webshop', '--provider', 'stripe'),
    refused: ({ run }) =>
      run('connectors', 'add', '--name', 'x', '--provider', 'stripe', '--settings', '{"no":1}'),
  },
  {
    operation: 'connectors secret',
    action: 'connector.change-secret',
    async prepare(house) {
      const connectorId = await add(house, null);
      return () => house.runWith({ input }, 'connectors', 'secret', connectorId);
    },
    refused: ({ runWith }) => runWith({ input }, 'connectors', 'secret', 'none'),
  },
  {
    operation: 'connectors secret',
    action: 'connector.finish-secret-change',
    async prepare(house) {
      const connectorId = await add(house);
      await house.runWith({ input: 'whsec_another_one' }, 'connectors', 'secret', connectorId);
      return () => house.run('connectors', 'secret', connectorId, '--finish');
    },
    given: add,
    refused: ({ run }, connectorId) => run('connectors', 'secret', connectorId, '--finish'),
  },
  {
    operation: 'connectors replay',
    action: 'connector.replay',
    async prepare(house) {
      const connectorId = await add(house);
      const { eventId } = await test(house, connectorId, 'ALICE');
      return () => house.run('connectors', 'replay', connectorId, '--event', eventId);
    },
    refused: ({ run }) => run('connectors', 'replay', 'none'),
  },
  {
    operation: 'connectors remove',
    action: 'connector.remove',
    async prepare(house) {
      const connectorId = await add(house);
      return () => house.run('connectors', 'remove', connectorId);
    },
    refused: ({ run }) => run('connectors', 'remove', 'none'),
  },
];
