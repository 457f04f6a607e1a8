import { Alert, List } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { markPayoutsPaidMutation } from '../../../client/@tanstack/react-query.gen.ts';
import type { MarkedPayout, Payout } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { typedCount, typedMoney } from '../../../ui/typed-total.tsx';
import { useGroupNames } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { PaySummary } from './pay-summary.tsx';
import { totalsByCurrency } from './use-run-preview.ts';

interface PayManyDialogProps {
  opened: boolean;
  onClose(): void;
  payouts: readonly Payout[];
  /** Called with all payouts, including those that were not marked as paid. */
  onDone(marked: readonly MarkedPayout[]): void;
}

/**
 * Asks for the total, or for the number of payouts if they have several currencies, before marking payouts as paid, because
 * this can't be undone.
 */
export function PayManyDialog({ opened, onClose, payouts, onDone }: PayManyDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const pay = useMutation(markPayoutsPaidMutation());
  const totals = totalsByCurrency(payouts);
  const [first] = totals;
  const confirm = async (): Promise<void> => {
    const { payouts: marked } = await pay.mutateAsync({
      path: { publisherId },
      body: {
        payoutIds: payouts.map(({ payoutId }) => payoutId),
        totals: totals.map(({ currency, totalMinor }) => ({ currency, totalMinor })),
      },
    });
    const done = marked.filter(({ failure }) => failure === null).length;
    announce(t('{count, plural, one {# payout} other {# payouts}} marked as paid', { count: done }));
    onDone(marked);
    await queryClient.invalidateQueries();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Mark {count, plural, one {# payout} other {# payouts}} as paid?', {
        count: payouts.length,
      })}
      action={t('Mark as paid')}
      typed={
        first !== undefined && totals.length === 1
          ? typedMoney(first.totalMinor, first.currency)
          : typedCount(
              payouts.length,
              t('{count, plural, one {# payout} other {# payouts}}', { count: payouts.length }),
            )
      }
      onConfirm={confirm}
    >
      <PaySummary payouts={payouts} onClose={onClose} />
    </ConfirmDialog>
  );
}

/** Names each payout that was not marked as paid, with the reason. The others were marked. */
export function NotMarked({ marked, onClose }: { marked: readonly MarkedPayout[]; onClose(): void }) {
  const nameOf = useGroupNames();
  const refused = marked.flatMap(({ payout, failure }) => (failure === null ? [] : { ...failure, payout }));
  if (refused.length === 0) return null;
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<Icon name="alert" />}
      title={t('Couldn’t mark {count, plural, one {# payout} other {# payouts}} as paid', {
        count: refused.length,
      })}
      withCloseButton
      closeButtonLabel={t('Close result')}
      onClose={onClose}
    >
      <List size="sm">
        {refused.map(({ payout: { payoutId, groupId, totalMinor, currency }, message }) => (
          <List.Item key={payoutId}>
            <strong>
              {nameOf(groupId)}, {formatMoney(totalMinor, currency)}
            </strong>
            : {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
