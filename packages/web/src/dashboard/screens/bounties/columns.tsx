import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { BountyRow } from '../../../client/types.gen.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { Money, unknown } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { Provenance } from '../../../ui/provenance.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { Until, When } from '../../../ui/when.tsx';

export const columns = (): Column<BountyRow>[] => [
  { id: 'name', header: t('Bounty'), tone: 'strong', cell: ({ name }) => name },
  {
    id: 'window',
    noWrap: true,
    header: t('Dates'),
    tone: 'quiet',
    isUnderName: true,
    cell: ({ startsAt, endsAt }) => (
      <>
        <When at={startsAt} /> <Until at={endsAt} />
      </>
    ),
  },
  {
    id: 'target',
    header: t('Target'),
    hiddenBelow: 'sm',
    cell: ({ objectives }) => lines(objectives.map((each) => [each.name, targetOf(each)])),
  },
  {
    id: 'reward',
    header: t('Reward'),
    align: 'end',
    isUnderAmount: true,
    cell: ({ rewards }) => <Rewards rewards={rewards} />,
  },
  {
    id: 'progress',
    header: t('Completed'),
    align: 'end',
    noWrap: true,
    cell: ({ progress }) => <Completed progress={progress} />,
  },
  {
    id: 'by',
    header: t('Changed by'),
    tone: 'quiet',
    hiddenBelow: 'lg',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];

/** Values below each other, with their names as hints. */
const lines = (values: readonly (readonly [name: string, value: ReactNode])[]): ReactNode =>
  values.length === 0
    ? unknown
    : values.map(([name, value], place) => (
        // The values have no ids, and never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Text key={place} size="sm" component="div" title={name}>
          {value}
        </Text>
      ));

function targetOf({ type, condition, count, currency, name }: BountyRow['objectives'][number]): ReactNode {
  if (condition === 'Amount' && currency !== null)
    return (
      <>
        <Money minor={count} currency={currency} /> {t('in sales')}
      </>
    );
  const values = { count: Number(count) };
  switch (type) {
    case 'Purchase':
      return t('{count, plural, one {# purchase} other {# purchases}}', values);
    case 'NewPlayers':
      return t('{count, plural, one {# new player} other {# new players}}', values);
    case 'Event':
      return t('{name} × {count, number}', { ...values, name });
  }
}

/** Rewards below each other, or on a single line of a phone's row. */
function Rewards({ rewards }: Pick<BountyRow, 'rewards'>) {
  const isNarrow = useNarrow();
  if (!isNarrow) return lines(rewards.map((each) => [each.name, rewardOf(each)]));
  return rewards.map((each, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rewards have no ids, and never change their order
    <Fragment key={place}>
      {place > 0 && ', '}
      {rewardOf(each)}
    </Fragment>
  ));
}

const rewardOf = ({ name, amount, currency }: BountyRow['rewards'][number]): ReactNode =>
  amount === null || currency === null ? name : <Money minor={amount} currency={currency} />;

/** Number of creators who completed the bounty, of those who have begun. */
function Completed({ progress: { begun, completed, isExact } }: { progress: BountyRow['progress'] }) {
  if (begun === 0) return t('not started');
  const more = isExact ? '' : '+';
  return (
    <span title={t('Creators who completed it, out of those who started')}>
      {t('{completed} of {begun} creators', {
        completed: `${formatCount(completed)}${more}`,
        begun: `${formatCount(begun)}${more}`,
      })}
    </span>
  );
}
