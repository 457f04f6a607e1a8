import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { startPayRunMutation } from '../../../client/@tanstack/react-query.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { useGroupNames } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { createLabel } from './create-label.ts';
import { PayoutTotals } from './total-table.tsx';
import { type Offer, totalsByCurrency } from './use-run-preview.ts';
import { WhatHappens, WithoutMethod, withoutMethodIn } from './what-happens.tsx';

interface RunDialogProps {
  opened: boolean;
  onClose(): void;
  asOf: string;
  chosen: readonly Offer[];
  leftOutCount: number;
}

/** Shows each currency's total, and starts the pay run. The service creates only payouts with these totals. */
export function RunDialog({ opened, onClose, asOf, chosen, leftOutCount }: RunDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const start = useMutation(startPayRunMutation());
  const nameOf = useGroupNames();
  const lacking = chosen.filter(({ withoutMethodCount }) => withoutMethodCount > 0);
  const confirm = async (): Promise<void> => {
    const payouts = chosen.map(({ groupId, currency, totalMinor }) => ({ groupId, currency, totalMinor }));
    const { run } = await start.mutateAsync({
      path: { publisherId },
      body: { asOf, payouts, exactly: true },
    });
    announce(t('Pay run started'));
    await navigate({
      to: `/p/$publisherId/payouts/runs/${run.payRunId}` as never,
      params: { publisherId } as never,
      search: {} as never,
    });
    void queryClient.invalidateQueries();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Create {count, plural, one {# payout} other {# payouts}}?', { count: chosen.length })}
      action={createLabel(chosen.length)}
      onConfirm={confirm}
    >
      <Stack gap="xs">
        <PayoutTotals totals={totalsByCurrency(chosen)} notInFile={withoutMethodIn(chosen)} />
        <WithoutMethod
          payments={chosen}
          places={[...new Set(lacking.map(({ groupId }) => groupId))].map((group) => ({
            name: nameOf(group),
            screen: 'payouts',
            query: { group, asOf, method: 'none' },
          }))}
          onFollow={onClose}
        />
        <WhatHappens asOf={asOf} isRun leftOutCount={leftOutCount} />
      </Stack>
    </ConfirmDialog>
  );
}
