import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { DueView } from './due-view.tsx';
import { PartsPage } from './parts-page.tsx';
import { RunPreviewView } from './run-preview.tsx';

/**
 * Amounts due: a payout preview if a group is chosen or there is only one group, otherwise a preview of all
 * groups.
 */
export function Due() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const groups = useQuery(groupsOptions(publisherId));
  if (query.group !== undefined) return <DueView />;
  if (groups.data === undefined)
    return (
      <PartsPage here="">
        {groups.error === null ? (
          <LateSkeleton />
        ) : (
          <ErrorNotice
            error={groups.error}
            title={t('Couldn’t load the amounts due')}
            onRetry={() => void groups.refetch()}
          />
        )}
      </PartsPage>
    );
  return groups.data.length > 1 ? <RunPreviewView /> : <DueView />;
}
