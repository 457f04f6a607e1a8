import { useHiddenColumns } from '../../../ui/column-choice.ts';
import { currencies } from '../../../ui/currencies.ts';
import { FilterDays } from '../../../ui/dates/filter-days.tsx';
import { ZoneNote } from '../../../ui/dates/range-zone.tsx';
import { FilterBar, FilterSelect, selectFilter } from '../../../ui/filter-bar.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { originNames } from './names.ts';
import { PurchaseSearch, searchLabel } from './purchase-search.tsx';
import { SearchedOnPhone, searchedFilters } from './searched-filters.tsx';
import { statusChoices } from './status-names.ts';

/** Maximum number of days for a filter by currency, as on the server. One of them has 25 hours if clocks go back. */
const maxDaysOfCurrency = 7;

const hasFewDays = (from: string | undefined, until: string | undefined): boolean =>
  from !== undefined &&
  until !== undefined &&
  Date.parse(until) - Date.parse(from) <= maxDaysOfCurrency * 86_400_000 + 3_600_000;

export const filterNames = [
  'id',
  'code',
  'creator',
  'payout',
  'status',
  'origin',
  'from',
  'until',
  'currency',
  'sort',
];

export function Filters() {
  const { query } = useUrlState();
  const isNarrow = useNarrow();
  // The header of the dates sorts the list.
  const { hidden } = useHiddenColumns('transactions');
  const maySetCurrency = hasFewDays(query.from, query.until);
  return (
    <>
      <FilterBar
        search={{ name: 'id', label: searchLabel(), field: <PurchaseSearch /> }}
        fieldNames={['from', 'until']}
        fields={
          <FilterDays also={({ from, until }) => ({ ...(!hasFewDays(from, until) && { currency: null }) })} />
        }
        filters={[
          ...(isNarrow ? [] : searchedFilters(query)),
          selectFilter({
            name: 'status',
            label: t('Status'),
            all: t('All'),
            choices: Object.entries(statusChoices()),
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
            {(isNarrow || hidden.includes('date')) && (
              <FilterSelect
                name="sort"
                label={t('Sort by')}
                all={t('Newest first')}
                choices={[['oldest', t('Oldest first')]]}
              />
            )}
          </>
        }
      />
      {isNarrow && <SearchedOnPhone />}
    </>
  );
}
