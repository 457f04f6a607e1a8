import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ListedCreator } from '../../../client/types.gen.ts';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { ExportDialog } from '../../../ui/export-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { describeFilters } from '../../views/describe-view.ts';
import { keyOf, type Status, useTiers } from './use-creators.ts';
import { useTags } from './use-tags.ts';

/** Maximum number of selected creators, as on the server. */
const maxChosen = 100;

const usePath = (): string =>
  `/admin/v1/publishers/${encodeURIComponent(usePublisher().publisherId)}/members.csv`;

interface ExportCreatorsProps {
  status: Status;
  opened: boolean;
  onClose(): void;
}

/** Dialog that exports the creators of a tab that match the filters. */
export function ExportCreators({ status, opened, onClose }: ExportCreatorsProps) {
  const { publisherId } = usePublisher();
  const path = usePath();
  const { query } = useUrlState();
  const { group, q: typed, tier, tag } = query;
  const q = typed !== undefined && typed.length > 1 ? typed : undefined;
  const counts = useQuery(
    countCreatorsOptions({ path: { publisherId }, query: { ...(group !== undefined && { group }) } }),
  );
  const tiers = useTiers(tier === undefined ? undefined : group);
  const tags = useTags();
  const count = counts.data?.[status];
  const isFiltered = q !== undefined || tier !== undefined || tag !== undefined;
  const named = {
    ...(group !== undefined && { group }),
    tab: status,
    ...(q !== undefined && { q }),
    ...(tier !== undefined && {
      tier: tiers.data?.rows.find(({ tierId }) => tierId === tier)?.name ?? tier,
    }),
    ...(tag !== undefined && { tag: tags.data?.rows.find(({ tagId }) => tagId === tag)?.name ?? tag }),
  };
  return (
    <ExportDialog
      opened={opened}
      onClose={onClose}
      path={path}
      query={{ status, group, q, tier, tag }}
      label={t('Export CSV')}
      amount={
        isFiltered || count === undefined
          ? undefined
          : t('{count, plural, one {{total} creator} other {{total} creators}}', {
              count: count.atLeast,
              total: `${count.atLeast}${count.isExact ? '' : '+'}`,
            })
      }
      filters={describeFilters(named)}
      columns={t('All import columns, plus group, times, removal reason, and balances.')}
    />
  );
}

/** Button that exports the selected creators, or the reason why there are too many. */
export function ExportSelected({ status, creators }: { status: Status; creators: readonly ListedCreator[] }) {
  const path = usePath();
  if (creators.length > maxChosen)
    return (
      <Text size="sm" c="dimmed">
        {t('At most {max} creators can be exported at once.', { max: maxChosen })}
      </Text>
    );
  return (
    <DownloadButton
      size="xs"
      path={path}
      query={{ status, ids: creators.map(keyOf).join(',') }}
      label={t('Export selected')}
    />
  );
}
