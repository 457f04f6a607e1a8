import { Box, NativeSelect } from '@mantine/core';
import { currencies } from '../../../ui/currencies.ts';
import { FilterDays } from '../../../ui/dates/filter-days.tsx';
import { FilterPanel } from '../../../ui/filter-panel.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import classes from './filters.module.css';
import { originNames, statusChoices } from './names.ts';

/** Maximum number of days for a filter by currency, as on the server. */
const maxDaysOfCurrency = 7;

const hasFewDays = (from: string | undefined, until: string | undefined): boolean =>
  from !== undefined &&
  until !== undefined &&
  Date.parse(until) - Date.parse(from) <= maxDaysOfCurrency * 86_400_000;

export const filterNames = ['id', 'code', 'creator', 'status', 'origin', 'from', 'until', 'currency', 'sort'];

export function Filters() {
  const { query, setQuery } = useUrlState();
  const maySetCurrency = hasFewDays(query.from, query.until);
  const choice = (name: string, label: string, all: string, names: Readonly<Record<string, string>>) => (
    <NativeSelect
      label={label}
      data={[
        { value: '', label: all },
        ...Object.entries(names).map(([value, each]) => ({ value, label: each })),
      ]}
      value={query[name] ?? ''}
      onChange={({ currentTarget: { value } }) => setQuery({ [name]: value || null })}
    />
  );
  return (
    <FilterPanel names={filterNames}>
      <Box className={classes.filters}>
        <FilterText name="id" isMain label={t('Exact ID')} placeholder="order-1001" />
        <FilterText name="code" label={t('Code')} placeholder="ALICE" />
        <FilterText name="creator" label={t('Creator ID')} placeholder="acc_alice" />
        {choice('status', t('Status'), t('All'), statusChoices())}
        {choice('origin', t('Origin'), t('All'), originNames())}
        <FilterDays also={({ from, until }) => ({ ...(!hasFewDays(from, until) && { currency: null }) })} />
        <NativeSelect
          label={
            maySetCurrency ? t('Currency') : t('Currency, up to {days} days', { days: maxDaysOfCurrency })
          }
          disabled={!maySetCurrency && query.currency === undefined}
          data={[{ value: '', label: t('All') }, ...currencies]}
          value={query.currency ?? ''}
          onChange={({ currentTarget: { value } }) => setQuery({ currency: value || null })}
        />
        {choice('sort', t('Sort by'), t('Newest first'), { oldest: t('Oldest first') })}
      </Box>
    </FilterPanel>
  );
}
