import { t } from '../../../ui/text.ts';
import type { Found } from '../../use-found.ts';

/** Filters that the search can set, which are parameters of the URL. */
export type SearchedFilter = 'id' | 'code' | 'creator';

/** Filter that the search offers for what was typed. */
export interface PurchaseChoice {
  key: string;
  filter: SearchedFilter;
  value: string;
  label: string;
  /** Kind of what was found, such as “creator”. Absent for what was typed, whose label says it. */
  kind?: string;
  /** True if it isn't in the list's group, so that the list must show all groups. */
  isElsewhere: boolean;
}

const filterOf: Readonly<Record<string, SearchedFilter>> = {
  transaction: 'id',
  code: 'code',
  creator: 'creator',
};

const kindOf = (filter: SearchedFilter, isElsewhere: boolean): string => {
  if (filter === 'creator') return isElsewhere ? t('creator in another group') : t('creator');
  if (filter === 'id') return isElsewhere ? t('purchase in another group') : t('purchase');
  return t('code');
};

/**
 * Returns the filters for what the search found, best match first, and then for the typed text itself, because a code that
 * no longer exists still has purchases.
 * @param group the list's group; undefined for all groups
 */
export function purchaseChoices(
  typed: string,
  found: readonly Found[],
  group: string | undefined,
): readonly PurchaseChoice[] {
  if (typed === '') return [];
  const titles = found.map(({ kind, title }) => `${kind} ${title}`);
  const matches = found.flatMap(({ key, kind, id, title, groupIds }): PurchaseChoice[] => {
    const filter = filterOf[kind];
    if (filter === undefined) return [];
    const isElsewhere = group !== undefined && !groupIds.includes(group);
    const isAmbiguous = titles.filter((each) => each === `${kind} ${title}`).length > 1;
    return [
      {
        key,
        filter,
        value: filter === 'code' ? title : id,
        label: isAmbiguous && title !== id ? `${title} (${id})` : title,
        kind: kindOf(filter, isElsewhere),
        isElsewhere,
      },
    ];
  });
  const exact = (
    [
      ['id', t('Purchase ID “{text}” exactly', { text: typed })],
      ['code', t('Code “{text}” exactly', { text: typed })],
      ['creator', t('Creator ID “{text}” exactly', { text: typed })],
    ] as const
  )
    .filter(([filter]) => !matches.some((each) => each.filter === filter && isSame(each, typed)))
    .map(([filter, label]) => ({ key: `exact ${filter}`, filter, value: typed, label, isElsewhere: false }));
  return [...matches, ...exact];
}

/** Returns whether a choice stands for exactly what was typed. Codes ignore case. */
const isSame = ({ filter, value }: PurchaseChoice, typed: string): boolean =>
  filter === 'code' ? value.toLowerCase() === typed.toLowerCase() : value === typed;
