import { Group, NativeSelect, TextInput } from '@mantine/core';
import { FilterPanel } from '../../../ui/filter-panel.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { actorKinds } from './actor-kinds.ts';

export const filterNames = ['actorKind', 'action', 'target', 'from', 'until'];

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
  return (
    <FilterPanel names={filterNames}>
      <Group align="flex-end" gap="sm">
        <FilterText
          name="action"
          isMain
          label={t('Action')}
          placeholder="payout.create"
          isComplete={(text) => /^[a-z-]+(\.[a-z-]+)?$/.test(text)}
        />
        <FilterText name="target" label={t('Target')} placeholder="member:acc_alice" />
        <NativeSelect
          label={t('Actor')}
          data={[
            { value: '', label: t('All actors') },
            ...Object.entries(actorKinds()).map(([value, label]) => ({ value, label })),
          ]}
          value={query.actorKind ?? ''}
          onChange={({ currentTarget: { value } }) => setQuery({ actorKind: value || null })}
        />
        {day('from', t('From (UTC day)'))}
        {day('until', t('To (UTC day, exclusive)'))}
      </Group>
    </FilterPanel>
  );
}
