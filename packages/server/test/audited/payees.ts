import { enterMethod } from '../../src/payees/enter-method.ts';
import { toAccountId } from '../../src/platform/ids.ts';
import { testSealer } from '../sealer.ts';
import { testActor } from '../test-actor.ts';
import type { AuditedOperation } from './house.ts';

export const payeeOperations: AuditedOperation[] = [
  {
    operation: 'payees end',
    action: 'payee-method.end',
    async prepare(house) {
      await house.makeGroup('payee');
      const { methodId } = await enterMethod(house.db(), testSealer, testActor, {
        publisherId: 'aurora',
        memberId: toAccountId('acc_payee_A'),
        destination: {
          kind: 'paypal',
          holderName: 'A',
          holderType: 'individual',
          country: 'US',
          email: 'a@example.com',
        },
      });
      return () => house.run('payees', 'end', methodId, '--reason', 'Typing error');
    },
    refused: ({ run }) => run('payees', 'end', '0190f000-0000-7000-8000-000000000000', '--reason', 'none'),
  },
];
