import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { CreatorGroup, ShareSchedule } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatPercent, Percent } from '../../../ui/percent.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { Provenance } from '../../../ui/provenance.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { Timeline } from '../../../ui/timeline.tsx';
import type { Moved } from '../../../ui/timeline-drag.ts';
import { addDays, dayMs, startOfDay } from '../../../ui/timeline-grid.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { Until, When } from '../../../ui/when.tsx';
import { ZoneChoice } from '../../../ui/zone-choice.tsx';
import { usePublisher } from '../../session/session.ts';
import { ScheduleEditor } from './schedule-drawer.tsx';
import classes from './shares.module.css';
import { lanesOf, windowText } from './shares-lanes.ts';
import { useSchedules, useTiers } from './use-shares.ts';

const spans = [30, 90, 365] as const;

/** Schedules of a group, as a timeline and as an equivalent list. */
export function SchedulesTab({ group }: { group: CreatorGroup }) {
  const { may, nowMs: readNowMs } = usePublisher();
  const { query, setQuery } = useUrlState();
  const { zone } = usePreferences();
  // This time doesn't change until the sandbox clock is advanced.
  const nowMs = useMemo(readNowMs, [readNowMs]);
  const span = spans.find((days) => String(days) === query.span) ?? 90;
  const defaultFrom = addDays(startOfDay(nowMs, zone), -Math.round(span / 3), zone);
  const chosenFrom = Date.parse(query.from ?? '');
  const from = Number.isNaN(chosenFrom) ? defaultFrom : chosenFrom;
  const range = { from, until: addDays(from, span, zone) };
  const tiers = useTiers(group.groupId);
  const page = useSchedules(group.groupId, new Date(from).toISOString(), query.cursor);
  const move = (days: number): void =>
    setQuery({ from: new Date(addDays(from, days, zone)).toISOString() }, 'replace');
  const open = (key: string): void => setQuery({ open: key });
  const [moved, setMoved] = useState<Moved | null>(null);
  useEffect(() => {
    if (query.open === undefined) setMoved(null); // closed: the window returns to its place
  }, [query.open]);
  const openMoved = (to: Moved): void => {
    setMoved(to);
    open(to.key);
  };
  if (tiers.data === undefined)
    return tiers.error === null ? (
      <LateSkeleton />
    ) : (
      <ErrorNotice
        error={tiers.error}
        title={t('Couldn’t load the tiers')}
        onRetry={() => void tiers.refetch()}
      />
    );
  const schedules = page.data?.rows ?? [];
  /**
   * Returns the URL parameters for a timeline range that includes the schedule. The table starts there, too.
   */
  const rangeWith = ({ startsAt, endsAt }: ShareSchedule): Record<string, string | null> => {
    const isDrawn = Date.parse(endsAt) > range.from && Date.parse(startsAt) < range.until;
    const moved = addDays(startOfDay(Date.parse(startsAt), zone), -Math.round(span / 3), zone);
    return isDrawn ? { cursor: null } : { cursor: null, from: new Date(moved).toISOString() };
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Button.Group>
            <Button variant="default" size="xs" onClick={() => move(-Math.round(span / 2))}>
              {t('Earlier')}
            </Button>
            <Button variant="default" size="xs" onClick={() => setQuery({ from: null }, 'replace')}>
              {t('Today')}
            </Button>
            <Button variant="default" size="xs" onClick={() => move(Math.round(span / 2))}>
              {t('Later')}
            </Button>
          </Button.Group>
          <SegmentedControl
            size="xs"
            aria-label={t('Time range')}
            data={[
              { value: '30', label: t('Month') },
              { value: '90', label: t('Quarter') },
              { value: '365', label: t('Year') },
            ]}
            value={String(span)}
            onChange={(value) => setQuery({ span: value }, 'replace')}
          />
        </Group>
        <ZoneChoice />
      </Group>
      {page.data !== undefined && (
        <Timeline
          range={range}
          nowMs={nowMs}
          lanes={lanesOf({ group, tiers: tiers.data.rows, schedules, zone })}
          description={t('Timeline of the schedules. The table below has the same data.')}
          onOpen={open}
          onMove={may('program') ? openMoved : undefined}
        />
      )}
      <DataTable<ShareSchedule>
        label={t('Schedules')}
        page={page}
        columns={columns(nowMs)}
        rowKey={({ scheduleId }) => scheduleId}
        rowName={(schedule) => windowText(schedule, zone)}
        empty={
          <EmptyState
            icon="shares"
            title={t('No schedules in or after this range')}
            action={
              may('program') && (
                <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open('new')}>
                  {t('Create schedule')}
                </Button>
              )
            }
          >
            {t('A schedule sets a temporary share, such as a double share on a weekend.')}
          </EmptyState>
        }
      />
      <DetailDrawer title={query.open === 'new' ? t('Create schedule') : t('Schedule')}>
        {(key) => {
          const schedule = schedules.find(({ scheduleId }) => scheduleId === key) ?? null;
          if (page.data === undefined) return <LateSkeleton />;
          if (schedule === null && key !== 'new')
            return <Text>{t('This schedule isn’t in the time range shown.')}</Text>;
          return (
            <ScheduleEditor
              key={key}
              group={group}
              tiers={tiers.data.rows}
              schedules={schedules}
              schedule={schedule}
              movedTo={moved?.key === key ? moved : null}
              nowMs={nowMs}
              onDone={(saved) => setQuery({ open: null, ...(saved !== null && rangeWith(saved)) })}
            />
          );
        }}
      </DetailDrawer>
    </Stack>
  );
}

const columns = (nowMs: number): Column<ShareSchedule>[] => [
  {
    id: 'window',
    header: t('Dates'),
    tone: 'strong',
    cell: ({ startsAt, endsAt }) => (
      <div className={classes.window}>
        <When at={startsAt} /> <Until at={endsAt} />
      </div>
    ),
  },
  {
    id: 'state',
    header: t('Status'),
    isUnderName: 'first',
    cell: (schedule) => <State of={schedule} nowMs={nowMs} />,
  },
  {
    id: 'share',
    header: t('All creators'),
    align: 'end',
    cell: ({ revShare }) => <Percent value={revShare} />,
  },
  {
    id: 'tiers',
    header: t('Tiers'),
    isUnderName: 'whole',
    cell: ({ tierShares }) =>
      tierShares.map(({ tierName, revShare }) => `${tierName} ${formatPercent(revShare)}`).join(', ') || '–',
  },
  {
    id: 'by',
    header: t('Changed by'),
    tone: 'quiet',
    hiddenBelow: 'md',
    cell: ({ provenance }) => <Provenance of={provenance} />,
  },
];

function State({ of: { startsAt, endsAt }, nowMs }: { of: ShareSchedule; nowMs: number }) {
  const [from, until] = [Date.parse(startsAt), Date.parse(endsAt)];
  if (until <= nowMs) return <StatusBadge tone="over">{t('Ended')}</StatusBadge>;
  if (from <= nowMs) return <StatusBadge tone="running">{t('Running')}</StatusBadge>;
  const days = Math.ceil((from - nowMs) / dayMs);
  return (
    <StatusBadge tone="waiting">
      {t('{days, plural, one {In # day} other {In # days}}', { days })}
    </StatusBadge>
  );
}
