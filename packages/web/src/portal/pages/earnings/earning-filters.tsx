import { useQuery } from '@tanstack/react-query';
import { listCodesOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { EarningMonth } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import list from '../../list.module.css';
import { monthName } from '../../month-name.ts';
import { goTo, usePlace } from '../../place.ts';
import { usePublisher } from '../../publisher.ts';
import { Select } from '../../select.tsx';

/** Filters of the list, which are in the URL. A filter with a single choice is left out. */
export function EarningFilters({ months, isShown }: { months: readonly EarningMonth[]; isShown: boolean }) {
  const { publisherId } = usePublisher();
  const { query } = usePlace();
  const { data } = useQuery(listCodesOptions({ query: { publisher: publisherId } }));
  if (!isShown) return null;
  const codes = data?.groups.flatMap((group) => group.codes.map(({ code }) => code)) ?? [];
  const choices: readonly (readonly [
    name: string,
    label: string,
    all: string,
    values: [string, string][],
  ])[] = [
    [
      'month',
      t('Month'),
      t('All months'),
      named(
        months.map(({ month }) => month),
        monthName,
      ),
    ],
    ['currency', t('Currency'), t('All currencies'), named(months.map(({ currency }) => currency))],
    ['code', t('Code'), t('All codes'), named(codes)],
    [
      'status',
      t('Status'),
      t('All'),
      [
        ['Normal', t('Not refunded')],
        ['Refund', t('Refunded')],
        ['Chargeback', t('Charged back')],
        ['Fraud', t('Marked as fraud')],
      ],
    ],
  ];
  return (
    <div className={list.filters}>
      {choices
        .filter(([name, , , values]) => values.length > 1 || query[name] !== undefined)
        .map(([name, label, all, values]) => (
          <Select
            key={name}
            label={label}
            value={query[name] ?? ''}
            data={[
              { value: '', label: all },
              ...withCurrent(values, query[name]).map(([choice, text]) => ({ value: choice, label: text })),
            ]}
            onChange={({ currentTarget: { value } }) => {
              const { [name]: _, ...others } = query;
              goTo('/earnings', {
                query: value === '' ? others : { ...others, [name]: value },
                replaces: true,
              });
            }}
          />
        ))}
    </div>
  );
}

const named = (values: readonly string[], nameOf = (value: string): string => value): [string, string][] =>
  [...new Set(values)].map((value) => [value, nameOf(value)]);

/** Adds the chosen value if it isn't a choice any more, so that the field shows it. */
const withCurrent = (values: [string, string][], current: string | undefined): [string, string][] =>
  current === undefined || values.some(([value]) => value === current)
    ? values
    : [...values, [current, current]];
