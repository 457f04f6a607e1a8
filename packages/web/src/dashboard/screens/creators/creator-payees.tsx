import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { listPayeeMethodsOfMemberOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Creator } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { MethodRow } from '../../payees/method-row.tsx';
import { usePublisher } from '../../session/session.ts';
import { Part } from './part.tsx';

const EnterDialog = lazy(() =>
  import('../../payees/enter-dialog.tsx').then((found) => ({ default: found.EnterDialog })),
);

/** Number of ended methods shown by default. Older ones are in the audit log. */
const maxEnded = 3;

/** Payout methods of a creator, with the actions to enter, approve and end them. */
export function CreatorPayees({ creator }: { creator: Creator }) {
  const { publisherId, may } = usePublisher();
  const { memberId } = creator;
  const [isEntering, setEntering] = useState(false);
  const { data, error, refetch } = useQuery(
    listPayeeMethodsOfMemberOptions({ path: { publisherId, memberId } }),
  );
  if (error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the payout methods')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined || (data.rows.length === 0 && !may('payees'))) return null;
  const open = data.rows.filter(({ state }) => state !== 'Ended');
  const ended = data.rows.filter(({ state }) => state === 'Ended').slice(0, maxEnded);
  return (
    <Part
      title={t('Payout methods')}
      actions={
        may('payees') &&
        open.every(({ state }) => state !== 'Waiting') && (
          <Button size="xs" variant="default" onClick={() => setEntering(true)}>
            {t('Add payout method…')}
          </Button>
        )
      }
    >
      {[...open, ...ended].map((method) => (
        <MethodRow key={method.methodId} method={method} />
      ))}
      <Suspense>
        {isEntering && <EnterDialog creator={creator} onClose={() => setEntering(false)} />}
      </Suspense>
    </Part>
  );
}
