import { Box, NativeSelect, TextInput } from '@mantine/core';
import { FilterPanel } from '../../../ui/filter-panel.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import classes from './filters.module.css';
import { originNames, statusNames } from './names.ts';

export const filterNames = ['id', 'code', 'creator', 'status', 'origin', 'from', 'until', 'sort'];

export function Filters() {
  const { query, setQuery } = useUrlState();
  const day = (name: 'from' | 'until', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={query[name]?.slice(0, 10) ?? ''}
      onChange={({ currentTarget: { value } }) => setQuery({ [name]: value ? `${value}T00:00:00Z` : null })}
    />
  );
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
        {choice('status', t('Status'), t('All'), statusNames())}
        {choice('origin', t('Origin'), t('All'), originNames())}
        {day('from', t('From (UTC day)'))}
        {day('until', t('To (UTC day, exclusive)'))}
        {choice('sort', t('Sort by'), t('Newest first'), { oldest: t('Oldest first') })}
      </Box>
    </FilterPanel>
  );
}
