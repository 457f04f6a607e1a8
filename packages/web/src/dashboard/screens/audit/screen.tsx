import { useMemo } from 'react';
import { listAuditOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { AuditEntries, AuditEntry } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { CopyLink } from '../../../ui/copy-link.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { RangeZone } from '../../../ui/dates/range-zone.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ExportButton } from '../../../ui/export-button.tsx';
import { ExportChosen } from '../../../ui/export-chosen.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useChosen } from '../../../ui/use-chosen.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { describeFilters } from '../../views/describe-view.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { actionInWords } from './action-words.ts';
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
  const exportPath = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/audit`;
  const { ids, onSelect } = useChosen(page.data?.rows ?? [], keyOf);
  const shownColumns = useMemo(columns, []);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <RangeZone>
      <ScreenPage
        title={t('Audit')}
        about={t('Who changed what, and when. Entries are never deleted.')}
        tools={
          <>
            <ViewsMenu list="audit" />
            <CopyLink names={filterNames} withLabel />
          </>
        }
        exports={
          may('export') && (
            <ExportButton
              path={`${exportPath}.csv`}
              query={filter}
              label={t('Export')}
              otherFormat={{
                name: 'NDJSON',
                path: `${exportPath}.ndjson`,
                columns: t('All fields of each entry, one JSON object per line.'),
              }}
              isEmpty={cursor === undefined && page.data?.rows.length === 0}
              amount={amountOf(page.data, cursor)}
              filters={describeFilters({ ...query, hide: '', view: '' })}
              columns={t(
                'All columns: time, actor, action, target, reason, and the values before and after.',
              )}
            />
          )
        }
      >
        <Filters />
        <DataTable
          label={t('Changes')}
          {...(may('export') && { onSelect })}
          list="audit"
          columns={shownColumns}
          page={page}
          rowKey={keyOf}
          days={days}
          rowName={(entry) => `${actionInWords(entry.action)} ${targetName(entry)?.name ?? entry.target}`}
          empty={
            isFiltered ? (
              <EmptyState
                icon="audit"
                title={t('No matching changes')}
                action={<ClearFilters names={filterNames} />}
              >
                {t('Clear a filter, or choose other dates.')}
              </EmptyState>
            ) : (
              <EmptyState icon="audit" title={t('No changes yet')}>
                {t('Changes to program files, keys, invitations, and more appear here, with who made them.')}
              </EmptyState>
            )
          }
        />
        <ExportChosen path={`${exportPath}.csv`} ids={ids} />
        <DetailDrawer title={t('Change')}>{(key) => <EntryDetail auditId={key} />}</DetailDrawer>
      </ScreenPage>
    </RangeZone>
  );
}

const days = { column: 'at', at: ({ at }: AuditEntry) => at };

/** Defined once, because a new function on each render would report the selection again. */
const keyOf = ({ auditId }: AuditEntry): string => auditId;

/**
 * Returns the approximate size of an export. The log has no counts, so the exact size is known only for a short list.
 */
function amountOf(page: AuditEntries | undefined, cursor: string | undefined): string | undefined {
  if (page === undefined) return undefined;
  const count = page.rows.length;
  return cursor === undefined && page.nextCursor === null
    ? t('{count, plural, one {# entry} other {# entries}}', { count })
    : t('more than {count, plural, one {# entry} other {# entries}}', { count });
}
