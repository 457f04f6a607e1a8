import { Group } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useKeys } from '../../../ui/keys.ts';
import type { Query } from '../../../ui/query-string.ts';
import { RowSteps } from '../../../ui/row-steps.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { type ListedPayouts, PayoutLink } from './payout-link.tsx';

/** Link back to the list of payouts, and steps to the payouts beside this one. */
export function PayoutSteps({ payoutId }: { payoutId: string }) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const listed = useLocation({ select: ({ state }) => (state as { listed?: ListedPayouts }).listed });
  const payoutIds = listed?.payoutIds ?? [];
  const at = payoutIds.indexOf(payoutId);
  const step = (by: 1 | -1): void => {
    const next = payoutIds[at + by];
    if (at === -1 || next === undefined) return;
    void navigate({
      to: `/p/$publisherId/payouts/${next}` as never,
      params: { publisherId } as never,
      search: (({ group }: Query) => ({ group })) as never,
      state: { listed } as never,
      replace: true,
      resetScroll: false,
    });
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  return (
    <Group gap="md">
      <PayoutLink to="made" search={listed?.query ?? {}}>
        {t('All payouts')}
      </PayoutLink>
      {at !== -1 && (
        <RowSteps
          row={at + 1}
          rows={payoutIds.length}
          isFirst={at === 0}
          isLast={at === payoutIds.length - 1}
          onStep={step}
        />
      )}
    </Group>
  );
}
