import { getPayout } from '../../src/settlement/payouts/read/read-payouts.ts';
import type { AuditedOperation, House } from './house.ts';

let groups = 0;

/** Creates a group in which a member has earned $50 that can be paid. */
async function earned(house: House): Promise<{ groupId: string; rowId: string; transactionId: string }> {
  groups += 1;
  const groupId = `paid${groups}`;
  await house.makeGroup(groupId);
  const { id, transactionId } = await house.earn(groupId, 'A', 50);
  await house.settle();
  return { groupId, rowId: id, transactionId };
}

async function payout(house: House): Promise<{ payoutId: string; rowId: string }> {
  const { groupId, rowId } = await earned(house);
  const [made] = await house.create(groupId);
  return { payoutId: made?.batchId ?? '', rowId };
}

const noPayout = '0190f000-0000-7000-8000-000000000000';

export const moneyOperations: AuditedOperation[] = [
  ...(['Refund', 'Fraud', 'Chargeback'] as const).map(
    (action): AuditedOperation => ({
      operation: 'updateTransactions',
      action: `transaction.${action.toLowerCase()}`,
      async prepare(house) {
        const { transactionId } = await earned(house);
        return () => house.patch(transactionId, { json: { action } });
      },
      refused: ({ patch }) => patch('t-none', { json: { action } }),
    }),
  ),
  {
    operation: 'updateTransactions',
    action: 'transaction.change-player',
    async prepare(house) {
      const { transactionId } = await earned(house);
      return () => house.patch(transactionId, { json: { playerId: 'p-bought' } });
    },
    refused: ({ patch }) => patch('t-none', { json: { playerId: 'p-bought' } }),
  },
  {
    operation: 'refundTransaction',
    action: 'transaction.refund-part',
    async prepare(house) {
      const { transactionId } = await earned(house);
      return () => house.refund(transactionId, { refundId: 're_1', amount: 10, reason: 'Refund' });
    },
    refused: ({ refund }) => refund('t-none', { refundId: 're_1', amount: 10, reason: 'Refund' }),
  },
  {
    operation: 'reinstateRefund',
    action: 'transaction.reinstate',
    async prepare(house) {
      const { transactionId } = await earned(house);
      await house.refund(transactionId, { refundId: 're_1', amount: 10, reason: 'Refund' });
      return () => house.reinstate(transactionId, 're_1');
    },
    refused: ({ reinstate }) => reinstate('t-none', 're_1'),
  },
  {
    operation: 'refunds reinstate',
    action: 'transaction.reinstate',
    async prepare(house) {
      const { transactionId } = await earned(house);
      await house.refund(transactionId, { refundId: 're_1', amount: 10, reason: 'Refund' });
      return () => house.run('refunds', 'reinstate', transactionId, 're_1', '--reason', 'a mistake');
    },
    refused: ({ run }) => run('refunds', 'reinstate', 't-none', 're_1', '--reason', 'a mistake'),
  },
  {
    operation: 'payouts create',
    action: 'payout.create',
    async prepare(house) {
      const { groupId } = await earned(house);
      return () => house.run('payouts', 'create', '--group', groupId);
    },
    refused: ({ run }) => run('payouts', 'create', '--group', 'nowhere'),
  },
  {
    operation: 'payouts mark-paid',
    action: 'payout.mark-paid',
    async prepare(house) {
      const { payoutId } = await payout(house);
      return () => house.run('payouts', 'mark-paid', payoutId);
    },
    refused: ({ run }) => run('payouts', 'mark-paid', noPayout),
  },
  {
    operation: 'payouts set-result',
    action: 'payout.set-results',
    async prepare(house) {
      const { payoutId } = await payout(house);
      const { number } = await getPayout(house.db(), 'aurora', payoutId);
      return () => house.run('payouts', 'set-result', payoutId, `${number}-00001`, '--result', 'Failed');
    },
    refused: ({ run }) => run('payouts', 'set-result', noPayout, '1001-00001', '--result', 'Failed'),
  },
  {
    operation: 'payouts cancel',
    action: 'payout.cancel',
    async prepare(house) {
      const { payoutId } = await payout(house);
      return () => house.run('payouts', 'cancel', payoutId, '--reason', 'a mistake');
    },
    refused: ({ run }) => run('payouts', 'cancel', noPayout),
  },
  {
    operation: 'payouts claw-back',
    action: 'payout.claw-back',
    async prepare(house) {
      const { payoutId, rowId } = await payout(house);
      await house.markPaid(payoutId);
      return () => house.run('payouts', 'claw-back', rowId, '--status', 'Fraud');
    },
    refused: ({ run }) => run('payouts', 'claw-back', noPayout, '--status', 'Fraud'),
  },
  {
    operation: 'holds place',
    action: 'transaction.hold',
    async prepare(house) {
      const { rowId } = await earned(house);
      return () => house.run('holds', 'place', '--row', rowId, '--reason', 'dispute');
    },
    refused: ({ run }) => run('holds', 'place', '--row', noPayout, '--reason', 'dispute'),
  },
  {
    operation: 'holds place',
    action: 'member.hold',
    async prepare(house) {
      const { groupId } = await earned(house);
      return () => house.run('holds', 'place', '--member', `acc_${groupId}_A`, '--reason', 'dispute');
    },
    refused: ({ run }) => run('holds', 'place', '--member', 'acc_none', '--reason', 'dispute'),
  },
  {
    operation: 'holds release',
    action: 'transaction.release',
    async prepare(house) {
      const { rowId } = await earned(house);
      const { stdout } = await house.run('holds', 'place', '--row', rowId, '--reason', 'dispute', '--json');
      const { holds } = JSON.parse(stdout);
      return () => house.run('holds', 'release', holds[0].holdId, '--reason', 'won');
    },
    refused: ({ run }) => run('holds', 'release', noPayout, '--reason', 'won'),
  },
  {
    operation: 'gates clear-tax',
    action: 'member.clear-tax',
    async prepare(house) {
      const { groupId } = await earned(house);
      return () =>
        house.run('gates', 'clear-tax', '--member', `acc_${groupId}_A`, '--note', 'W-8BEN 2026-03');
    },
    refused: ({ run }) => run('gates', 'clear-tax', '--member', 'acc_none', '--note', 'W-8BEN 2026-03'),
  },
  {
    operation: 'gates review',
    action: 'member.review',
    async prepare(house) {
      const { groupId } = await earned(house);
      return () => house.run('gates', 'review', '--member', `acc_${groupId}_A`, '--note', 'bank account');
    },
    refused: ({ run }) => run('gates', 'review', '--member', 'acc_none', '--note', 'bank account'),
  },
  {
    operation: 'gates end',
    action: 'member.end-review',
    async prepare(house) {
      const { groupId } = await earned(house);
      const creator = ['--member', `acc_${groupId}_A`, '--note', 'bank account'];
      const { stdout } = await house.run('gates', 'review', ...creator, '--json');
      const { gateId } = JSON.parse(stdout);
      return () => house.run('gates', 'end', gateId, '--reason', 'checked');
    },
    refused: ({ run }) => run('gates', 'end', noPayout, '--reason', 'checked'),
  },
];
