import { Button, CloseIcon, Group, Text } from '@mantine/core';
import type { Filter } from '../../../ui/filter-bar.tsx';
import type { Query } from '../../../ui/query-string.ts';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { useFound } from '../../use-found.ts';
import type { SearchedFilter } from './purchase-choices.ts';
import classes from './purchase-search.module.css';

/** Filters that the search or a link has set: their parameters, and what the screen calls them. */
type Named = readonly [name: SearchedFilter | 'payout', label: string];

const named = ({ creator, code }: Query): readonly Named[] => [
  ['id', t('Purchase ID')],
  ['code', t('Code')],
  ['creator', t('Creator')],
  // A link from a payout's page sets it together with the creator who was paid.
  ...(creator === undefined || code !== undefined ? [] : [['payout', t('Payout')] as const]),
];

/** Filters that the search has set, which the bar shows with a button that removes them. */
export const searchedFilters = (query: Query): readonly Filter[] =>
  named(query).map(([name, label]) => ({
    name,
    label,
    isUnlisted: true,
    field: <Value name={name} label={label} />,
  }));

interface ValueProps {
  name: Named[0];
  label: string;
}

function Value({ name, label }: ValueProps) {
  const value = useValue(name);
  return (
    <div className={classes.value} title={value}>
      <Text span inherit c="dimmed">
        {label}
      </Text>
      <span>{value}</span>
    </div>
  );
}

/** Returns a filter's value. For the ID of a creator or payout, returns the name or the number instead. */
function useValue(name: Named[0]): string {
  const { query } = useUrlState();
  const { publisherId } = usePublisher();
  const value = query[name] ?? '';
  const isId = name === 'creator' || name === 'payout';
  const { found } = useFound({ publisherId, group: undefined }, isId ? value : '');
  const title = found.find(({ kind, id }) => kind === name && id === value)?.title ?? value;
  return name === 'payout' ? title.replace(/^Payout /, '') : title;
}

/** Filters that the search has set, below it on a phone. */
export function SearchedOnPhone() {
  const { query } = useUrlState();
  const shown = named(query).filter(([name]) => query[name] !== undefined);
  if (shown.length === 0) return null;
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={t('Filters set by the search')}>
      {shown.map(([name, label]) => (
        <RemoveButton key={name} name={name} label={label} />
      ))}
    </Group>
  );
}

function RemoveButton({ name, label }: ValueProps) {
  const { setQuery } = useUrlState();
  const value = useValue(name);
  return (
    <Button
      variant="default"
      maw="100%"
      rightSection={<CloseIcon size="1rem" />}
      aria-label={t('Remove filter {label}', { label: `${label} ${value}` })}
      onClick={() => {
        setQuery({ [name]: null });
        document.querySelector<HTMLElement>('[data-screen-title]')?.focus();
      }}
    >
      {label} {value}
    </Button>
  );
}
