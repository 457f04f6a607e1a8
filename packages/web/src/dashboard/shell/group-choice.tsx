import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';
import { groupsOptions } from './groups.ts';

const groupsOf = (screen: string | undefined) => screens.find(({ path }) => path === screen)?.groups;

/** Returns whether a screen, given by its part of the path, can show a single group. */
export const hasGroupChoice = (screen: string | undefined): boolean => groupsOf(screen) !== 'all';

/**
 * Selector for the creator group that the screen shows. The group is stored in the query. If the query
 * doesn't name a group, all groups are shown. A screen that always shows one group starts with the default
 * group and doesn't offer "All groups". A screen that always shows all groups has no selector.
 */
export function GroupChoice() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const here = useLocation({ select: ({ pathname }) => pathname.split('/')[3] });
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  if (groups.length < 2 || !hasGroupChoice(here)) return null;
  const known = groups.find(({ groupId }) => groupId === query.group);
  const isOne = groupsOf(here) === 'one';
  const shown = isOne ? (known ?? groups.find(({ isDefault }) => isDefault))?.groupId : query.group;
  const options = groups.map(({ groupId, name }) => ({ value: groupId, label: name }));
  if (!isOne) options.unshift({ value: '', label: t('All groups') });
  // A URL may name a group that doesn't exist, which must not look like "All groups".
  if (!isOne && shown !== undefined && known === undefined) options.push({ value: shown, label: shown });
  return (
    <NativeSelect
      aria-label={t('Creator group')}
      data={options}
      value={shown ?? ''}
      onChange={({ currentTarget: { value } }) => setQuery({ group: value || null, open: null })}
    />
  );
}
