import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { listGatesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Creator } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { GateRow } from '../../gates/gate-row.tsx';
import { usePublisher } from '../../session/session.ts';
import { Part } from './part.tsx';

const ClearTaxDialog = lazy(() =>
  import('../../gates/set-gate-dialogs.tsx').then((found) => ({ default: found.ClearTaxDialog })),
);
const ReviewDialog = lazy(() =>
  import('../../gates/set-gate-dialogs.tsx').then((found) => ({ default: found.ReviewDialog })),
);

/** Tax clearances and reviews of a creator, with the actions to set and end them. */
export function CreatorGates({ creator }: { creator: Creator }) {
  const { publisherId, may } = usePublisher();
  const { memberId } = creator;
  const [open, setOpen] = useState<'tax' | 'review' | null>(null);
  const { data, error, refetch } = useQuery(
    listGatesOptions({ path: { publisherId }, query: { member: memberId } }),
  );
  if (error !== null)
    return (
      <ErrorNotice error={error} title={t('Couldn’t load tax and review')} onRetry={() => void refetch()} />
    );
  if (data === undefined || (data.rows.length === 0 && !may('payouts'))) return null;
  const isReviewed = data.rows.some(({ kind }) => kind === 'review');
  const close = (): void => setOpen(null);
  return (
    <Part
      title={t('Tax and review')}
      actions={
        may('payouts') && (
          <>
            <Button size="xs" variant="default" onClick={() => setOpen('tax')}>
              {t('Add tax clearance…')}
            </Button>
            {!isReviewed && (
              <Button size="xs" variant="default" onClick={() => setOpen('review')}>
                {t('Start review…')}
              </Button>
            )}
          </>
        )
      }
    >
      {data.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No tax clearance. Not under review.')}
        </Text>
      )}
      {data.rows.map((gate) => (
        <GateRow key={gate.gateId} gate={gate} />
      ))}
      <Suspense>
        {open === 'tax' && <ClearTaxDialog creator={creator} onClose={close} />}
        {open === 'review' && <ReviewDialog creator={creator} onClose={close} />}
      </Suspense>
    </Part>
  );
}
