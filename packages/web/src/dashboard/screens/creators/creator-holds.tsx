import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { listHoldsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { holdCreator } from '../../../client/sdk.gen.ts';
import type { Creator, Hold } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { HoldNote } from '../../holds/hold-note.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { Part } from './part.tsx';

const HoldDialog = lazy(() =>
  import('../../holds/hold-dialog.tsx').then((found) => ({ default: found.HoldDialog })),
);
const ReleaseDialog = lazy(() =>
  import('../../holds/release-dialog.tsx').then((found) => ({ default: found.ReleaseDialog })),
);

/** Holds on a creator's payouts and purchases, with the actions to place and release them. */
export function CreatorHolds({ creator }: { creator: Creator }) {
  const { publisherId, may } = usePublisher();
  const { memberId, groupId, groupName, name } = creator;
  const [isHolding, setHolding] = useState(false);
  const [releasing, setReleasing] = useState<Hold | null>(null);
  const { data, error, refetch } = useQuery(
    listHoldsOptions({ path: { publisherId }, query: { member: memberId } }),
  );
  const holds = data?.rows ?? [];
  const ofCreator = holds.filter(({ row }) => row === null);
  const ofRows = holds.length - ofCreator.length;
  const isFree = (group: string | null): boolean => ofCreator.every((hold) => hold.groupId !== group);
  const choices = [
    { value: '', label: t('All groups'), isFree: isFree(null) },
    { value: groupId, label: groupName, isFree: isFree(groupId) },
  ].filter((choice) => choice.isFree);
  if (error !== null)
    return <ErrorNotice error={error} title={t('Couldn’t load the holds')} onRetry={() => void refetch()} />;
  if (data === undefined || (holds.length === 0 && !may('reverse'))) return null;
  return (
    <Part
      title={t('Payout holds')}
      actions={
        may('reverse') &&
        choices.length > 0 && (
          <Button size="xs" variant="default" onClick={() => setHolding(true)}>
            {t('Hold payouts…')}
          </Button>
        )
      }
    >
      {ofCreator.map((hold) => (
        <Group key={hold.holdId} justify="space-between" align="flex-start" wrap="nowrap">
          <HoldNote
            hold={hold}
            what={
              hold.groupId === null ? t('All groups') : hold.groupId === groupId ? groupName : hold.groupId
            }
          />
          {may('reverse') && (
            <Button size="xs" variant="default" onClick={() => setReleasing(hold)}>
              {t('Release…')}
            </Button>
          )}
        </Group>
      ))}
      {ofRows > 0 && (
        <ScreenLink screen="payouts/held" query={{ member: memberId }}>
          {t('{count, plural, one {# purchase on hold} other {# purchases on hold}}', { count: ofRows })}
        </ScreenLink>
      )}
      <Suspense>
        {isHolding && (
          <HoldDialog
            opened
            title={t('Hold payouts to {name}?', { name })}
            about={t(
              'Payouts skip this creator, including bounty rewards and clawbacks, until the hold ends or is released. The balance doesn’t change.',
            )}
            choices={{ label: t('Group'), data: choices.map(({ value, label }) => ({ value, label })) }}
            place={(terms, group) =>
              holdCreator({
                path: { publisherId, memberId },
                body: { ...terms, ...(group !== '' && { groupId: group }) },
                throwOnError: true,
              })
            }
            onClose={() => setHolding(false)}
          />
        )}
        {releasing !== null && <ReleaseDialog holds={[releasing]} onClose={() => setReleasing(null)} />}
      </Suspense>
    </Part>
  );
}
