import { Box, NativeSelect, SegmentedControl } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import classes from './payouts.module.css';

const states = ['due', 'below-minimum', 'blocked', 'repaying', 'on-hold', 'held'] as const;
export type DueState = (typeof states)[number];

export const readDueState = (text: string | undefined): DueState | undefined =>
  states.find((each) => each === text);

/**
 * Filter by payout status. On a phone it is a select, because the words don't fit side by side.
 * @param hasBlocked false to leave out the blocked amounts, unless they are chosen
 */
export function DueStates({ hasBlocked }: { hasBlocked: boolean }) {
  const { query, setQuery } = useUrlState();
  const isNarrow = useNarrow();
  const data = [
    { value: '', label: isNarrow ? t('All creators') : t('All') },
    { value: 'due', label: t('Due') },
    { value: 'below-minimum', label: t('Below minimum') },
    ...(hasBlocked || query.state === 'blocked' ? [{ value: 'blocked', label: t('Blocked') }] : []),
    { value: 'repaying', label: t('Overpaid') },
    { value: 'on-hold', label: t('On hold') },
    { value: 'held', label: t('Not due yet') },
  ];
  const shared = { 'aria-label': t('Payout status'), value: query.state ?? '', data };
  const choose = (value: string): void => setQuery({ state: value || null });
  return isNarrow ? (
    <NativeSelect {...shared} onChange={({ currentTarget: { value } }) => choose(value)} />
  ) : (
    <Box className={classes.scroller}>
      <SegmentedControl {...shared} onChange={choose} />
    </Box>
  );
}
