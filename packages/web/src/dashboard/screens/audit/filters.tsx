import { FilterDays } from '../../../ui/dates/filter-days.tsx';
import { ZoneFilter } from '../../../ui/dates/range-zone.tsx';
import { FilterBar, selectFilter, textFilter } from '../../../ui/filter-bar.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { t } from '../../../ui/text.ts';
import { actorKinds } from './actor-kinds.ts';

export const filterNames = ['actorKind', 'action', 'target', 'from', 'until'];

export function Filters() {
  return (
    <FilterBar
      fieldNames={['action', 'from', 'until']}
      fields={
        <>
          <FilterText
            name="action"
            isMain
            label={t('Action')}
            placeholder="payout.create"
            isComplete={(text) => /^[a-z-]+(\.[a-z-]+)?$/.test(text)}
          />
          <FilterDays />
        </>
      }
      filters={[
        selectFilter({
          name: 'actorKind',
          label: t('Actor'),
          all: t('All actors'),
          choices: Object.entries(actorKinds()),
        }),
        textFilter({ name: 'target', label: t('Target'), placeholder: 'member:acc_alice' }),
      ]}
      arrangement={<ZoneFilter />}
    />
  );
}
