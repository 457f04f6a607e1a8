import { Group, NativeSelect } from '@mantine/core';
import { FilterDays } from '../../../ui/dates/filter-days.tsx';
import { FilterPanel } from '../../../ui/filter-panel.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { actorKinds } from './actor-kinds.ts';

export const filterNames = ['actorKind', 'action', 'target', 'from', 'until'];

export function Filters() {
  const { query, setQuery } = useUrlState();
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
        <FilterDays />
      </Group>
    </FilterPanel>
  );
}
