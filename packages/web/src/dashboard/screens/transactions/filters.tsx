import { currencies } from '../../../ui/currencies.ts';
import { FilterDays } from '../../../ui/dates/filter-days.tsx';
import { ZoneNote } from '../../../ui/dates/range-zone.tsx';
import { FilterBar, FilterSelect, selectFilter, textFilter } from '../../../ui/filter-bar.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { originNames } from './names.ts';
import { statusChoices } from './status-names.ts';

/** Maximum number of days for a filter by currency, as on the server. One of them has 25 hours if clocks go back. */
const maxDaysOfCurrency = 7;

const hasFewDays = (from: string | undefined, until: string | undefined): boolean =>
  from !== undefined &&
  until !== undefined &&
  Date.parse(until) - Date.parse(from) <= maxDaysOfCurrency * 86_400_000 + 3_600_000;

export const filterNames = ['id', 'code', 'creator', 'status', 'origin', 'from', 'until', 'currency', 'sort'];

export function Filters() {
  const { query } = useUrlState();
  const maySetCurrency = hasFewDays(query.from, query.until);
  return (
    <FilterBar
      search={{
        name: 'id',
        label: t('Exact ID'),
        placeholder: t('For example {example}', { example: 'order-1001' }),
      }}
      fieldNames={['from', 'until']}
      fields={
        <FilterDays also={({ from, until }) => ({ ...(!hasFewDays(from, until) && { currency: null }) })} />
      }
      filters={[
        selectFilter({
          name: 'status',
          label: t('Status'),
          all: t('All'),
          choices: Object.entries(statusChoices()),
        }),
        textFilter({
          name: 'code',
          label: t('Code'),
          placeholder: t('For example {example}', { example: 'ALICE' }),
        }),
        textFilter({
          name: 'creator',
          label: t('Creator ID'),
          placeholder: t('For example {example}', { example: 'acc_alice' }),
        }),
        selectFilter({
          name: 'origin',
          label: t('Origin'),
          all: t('All'),
          choices: Object.entries(originNames()),
        }),
        {
          ...selectFilter({
            name: 'currency',
            label: maySetCurrency
              ? t('Currency')
              : t('Currency, up to {days} days', { days: maxDaysOfCurrency }),
            all: t('All'),
            choices: currencies.map((code) => [code, code]),
            isDisabled: !maySetCurrency && query.currency === undefined,
          }),
          label: t('Currency'),
          hint: maySetCurrency
            ? t('Of Sale and Earned')
            : t('Choose up to {days} days first', { days: maxDaysOfCurrency }),
          isDisabled: !maySetCurrency,
        },
      ]}
      arrangement={
        <>
          <ZoneNote />
          <FilterSelect
            name="sort"
            label={t('Sort by')}
            all={t('Newest first')}
            choices={[['oldest', t('Oldest first')]]}
          />
        </>
      }
    />
  );
}
