import { useMutation, useQueryClient } from '@tanstack/react-query';
import { markPayoutPaidMutation } from '../../../client/@tanstack/react-query.gen.ts';
import type { Payout } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { typedAmount } from '../../../ui/typed-total.tsx';
import { usePublisher } from '../../session/session.ts';
import { PaySummary } from './pay-summary.tsx';

interface PayDialogProps {
  opened: boolean;
  onClose(): void;
  payout: Payout;
}

/** Asks for the total before marking a payout as paid, because this can't be undone. */
export function PayDialog({ opened, onClose, payout }: PayDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const pay = useMutation(markPayoutPaidMutation());
  const { payoutId, totalMinor, currency, memberCount } = payout;
  const confirm = async (): Promise<void> => {
    await pay.mutateAsync({ path: { publisherId, payoutId }, body: { totalMinor } });
    toast(t('Payout of {total} marked as paid', { total: formatMoney(totalMinor, currency) }));
    await queryClient.invalidateQueries();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Mark {total} to {count, plural, one {# creator} other {# creators}} as paid?', {
        total: formatMoney(totalMinor, currency),
        count: memberCount,
      })}
      action={t('Mark as paid')}
      typed={typedAmount(totalMinor, currency)}
      onConfirm={confirm}
    >
      <PaySummary payouts={[payout]} onClose={onClose} />
    </ConfirmDialog>
  );
}
