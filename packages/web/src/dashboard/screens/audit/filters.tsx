import { FilterDays } from '../../../ui/dates/filter-days.tsx';
import { ZoneNote } from '../../../ui/dates/range-zone.tsx';
import { FilterBar, FilterSelect, selectFilter, textFilter } from '../../../ui/filter-bar.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { actionNouns } from './action-nouns.ts';
import { actionInWords, kindInWords } from './action-words.ts';
import { actorKinds } from './actor-kinds.ts';

export const filterNames = ['actorKind', 'action', 'target', 'from', 'until'];

export function Filters() {
  return (
    <FilterBar
      fieldNames={['action', 'from', 'until']}
      fields={
        <>
          <ActionFilter />
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
        textFilter({
          name: 'target',
          label: t('Target'),
          placeholder: t('For example {example}', { example: 'member:acc_alice' }),
        }),
      ]}
      arrangement={<ZoneNote />}
    />
  );
}

/** Filter by the noun of the actions. A link may name a single action, which is then a choice, too. */
function ActionFilter() {
  const { action } = useUrlState().query;
  const nouns = actionNouns.map((noun) => [noun, kindInWords(noun)] as const);
  const isNoun = nouns.some(([noun]) => noun === action);
  return (
    <FilterSelect
      name="action"
      isMain
      label={t('Action')}
      all={t('All')}
      choices={[
        ...(action === undefined || isNoun ? [] : [[action, actionInWords(action)] as const]),
        ...nouns.toSorted(([, one], [, other]) => one.localeCompare(other)),
      ]}
    />
  );
}
