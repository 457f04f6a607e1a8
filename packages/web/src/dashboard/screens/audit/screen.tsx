import { listAuditOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyLink } from '../../../ui/copy-link.tsx';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { columns } from './columns.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { Filters, filterNames } from './filters.tsx';
import { targetName } from './named-thing.tsx';

export function Screen() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const { cursor, actorKind, action, target, from, until } = query;
  const filter = { actorKind: actorKind as never, action, target, from, until };
  const page = usePage(
    listAuditOptions({ path: { publisherId }, query: { ...filter, cursor, limit: limitOf(query) } }),
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <ScreenPage
      title={t('Audit')}
      about={t('Every change, kept forever.')}
      actions={
        <>
          <CopyLink names={filterNames} withLabel />
          {may('export') && (
            <CsvButton
              path={`/admin/v1/publishers/${encodeURIComponent(publisherId)}/audit.ndjson`}
              query={filter}
              label={t('Export NDJSON')}
            />
          )}
        </>
      }
    >
      <Filters />
      <DataTable
        label={t('Changes')}
        columns={columns()}
        page={page}
        rowKey={({ auditId }) => auditId}
        rowName={(entry) => `${entry.action} ${targetName(entry)?.name ?? entry.target}`}
        empty={
          isFiltered ? (
            <EmptyState icon="audit" title={t('No matching changes')}>
              {t('Clear a filter, or choose other dates.')}
            </EmptyState>
          ) : (
            <EmptyState icon="audit" title={t('No changes yet')}>
              {t('Every change appears here with its actor: program files, keys, invitations and more.')}
            </EmptyState>
          )
        }
      />
      <DetailDrawer title={t('Change')}>{(key) => <EntryDetail auditId={key} />}</DetailDrawer>
    </ScreenPage>
  );
}
