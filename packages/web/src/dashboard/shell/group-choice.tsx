import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { usePublisher } from '../session/session.ts';
import { groupsOptions } from './groups.ts';

/** Which creator group the screens are about; all of them without one. It stands in the query. */
export function GroupChoice() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  if (groups.length < 2) return null;
  return (
    <NativeSelect
      aria-label={t('Creator group')}
      data={[
        { value: '', label: t('All groups') },
        ...groups.map(({ groupId, name }) => ({ value: groupId, label: name })),
      ]}
      value={query.group ?? ''}
      onChange={({ currentTarget: { value } }) => setQuery({ group: value || null, open: null })}
    />
  );
}
