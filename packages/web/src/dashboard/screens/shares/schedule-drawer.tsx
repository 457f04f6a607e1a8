import { Alert, Box, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createShareSchedule,
  deleteShareSchedule,
  listShareSchedules,
  replaceShareSchedule,
} from '../../../client/sdk.gen.ts';
import type { CreatorGroup, ShareSchedule, ShareTier } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { hasCompleteDates } from '../../../ui/date-input.tsx';
import { fromField, useMovedWindow } from '../../../ui/datetime-field.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formCss } from '../../../ui/form-footer.ts';
import { Icon } from '../../../ui/icons.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { isStaleEdit, StaleEditNotice } from '../../../ui/stale-edit.tsx';
import { t } from '../../../ui/text.ts';
import { Timeline } from '../../../ui/timeline.tsx';
import { addDays, dayMs, type Span } from '../../../ui/timeline-grid.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';
import { CostPanel } from './cost-panel.tsx';
import {
  clashesOf,
  draftOf,
  hasInvalidShare,
  type ScheduleDraft,
  termsOf,
  weekendDraft,
} from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { lanesOf, windowText } from './shares-lanes.ts';
import { maxDrawn, useSchedules } from './use-shares.ts';

interface ScheduleEditorProps {
  group: CreatorGroup;
  tiers: readonly ShareTier[];
  schedules: readonly ShareSchedule[];
  /** Null for a new schedule. */
  schedule: ShareSchedule | null;
  /** Window to which the schedule was dragged. The form starts with it. */
  movedTo: Span | null;
  nowMs: number;
  /** Closes the form, and scrolls to the saved schedule. */
  onDone(saved: ShareSchedule | null): void;
}

/** Form for a schedule, with a live timeline of the neighboring schedules and a cost estimate. */
export function ScheduleEditor(props: ScheduleEditorProps) {
  const { group, tiers, schedules, schedule, movedTo, nowMs, onDone } = props;
  const { publisherId, may } = usePublisher();
  const { zone } = usePreferences();
  const queryClient = useQueryClient();
  const [base, setBase] = useState(schedule);
  const [draft, setDraft] = useState<ScheduleDraft>(() =>
    schedule === null
      ? weekendDraft({ group, tiers, schedules }, nowMs, zone)
      : draftOf(schedule, zone, movedTo),
  );
  useMovedWindow(zone, setDraft);
  const settle = useUnsaved({
    ...draft,
    startsAt: fromField(draft.startsAt, zone),
    endsAt: fromField(draft.endsAt, zone),
  });
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);

  const terms = termsOf(draft, zone);
  const around = useSchedules(group.groupId, new Date(monthOf(terms?.startsAt, nowMs)).toISOString());
  const others = around.data?.rows ?? schedules;
  const ownId = schedule?.scheduleId ?? null;
  const clashes = terms === null ? [] : clashesOf(terms, others, ownId);
  const mayChange = may('program');
  const change = (changes: Partial<ScheduleDraft>): void => setDraft((before) => ({ ...before, ...changes }));

  const finish = async (message: string, saved: ShareSchedule | null): Promise<void> => {
    await refresh(queryClient, 'listShareSchedules');
    toast(message);
    settle();
    onDone(saved);
    if (saved !== null) showRow(saved.scheduleId);
  };
  const save = async (): Promise<void> => {
    if (terms === null) return;
    setBusy(true);
    setError(null);
    const body = { groupId: group.groupId, ...terms };
    try {
      const { data } =
        base === null
          ? await createShareSchedule({ path: { publisherId }, body, throwOnError: true })
          : await replaceShareSchedule({
              path: { publisherId, scheduleId: base.scheduleId },
              body: { ...body, version: base.version },
              throwOnError: true,
            });
      await finish(t('Schedule {window} saved', { window: windowText(data, zone) }), data);
    } catch (thrown) {
      setError(thrown);
      if (base !== null && isStaleEdit(thrown)) setBase((await readAgain(base)) ?? base);
    } finally {
      setBusy(false);
    }
  };
  const readAgain = async ({ scheduleId, startsAt }: ShareSchedule): Promise<ShareSchedule | undefined> => {
    await refresh(queryClient, 'listShareSchedules');
    const from = new Date(monthOf(startsAt, nowMs)).toISOString();
    const { data } = await listShareSchedules({
      path: { publisherId },
      query: { group: group.groupId, limit: maxDrawn, from },
      throwOnError: true,
    });
    return data.rows.find((row) => row.scheduleId === scheduleId);
  };
  const remove = async (): Promise<void> => {
    if (base === null) return;
    await deleteShareSchedule({
      path: { publisherId, scheduleId: base.scheduleId },
      body: { groupId: group.groupId, version: base.version },
      throwOnError: true,
    });
    await finish(t('Schedule {window} deleted', { window: windowText(base, zone) }), null);
  };

  return (
    <form
      noValidate
      className={formCss.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && terms !== null && clashes.length === 0 && hasCompleteDates(event.currentTarget))
          void save();
      }}
    >
      <Stack>
        {mayChange && <FileWarning of={schedule?.provenance ?? null} />}
        {base !== null && isStaleEdit(error) ? (
          <StaleEditNotice>
            <Summary schedule={base} />
          </StaleEditNotice>
        ) : (
          error !== null && <ErrorNotice error={error} />
        )}
        <ScheduleFields {...{ draft, change, tiers, group }} isOff={!mayChange} />
        {terms === null ? (
          <Text size="sm" c="dimmed">
            {problemOf(draft)}
          </Text>
        ) : (
          <>
            {clashes.length > 0 && (
              <Alert
                color="red"
                role="alert"
                icon={<Icon name="alert" />}
                title={t('Overlaps another schedule')}
              >
                {t('A group can have only one schedule at a time. Change the window to avoid:')}
                <List size="sm">
                  {clashes.map((clash) => (
                    <List.Item key={clash.schedule.scheduleId}>{windowText(clash.schedule, zone)}</List.Item>
                  ))}
                </List>
              </Alert>
            )}
            <Timeline
              range={rangeAround(terms.startsAt, terms.endsAt)}
              nowMs={nowMs}
              lanes={lanesOf({
                group,
                tiers,
                schedules: others,
                zone,
                draft: { terms, clashes, ownId },
              })}
              description={t('Timeline of this window and the other schedules. Overlaps are listed above.')}
            />
          </>
        )}
        {mayChange && (
          <CostPanel
            publisherId={publisherId}
            groupId={group.groupId}
            terms={terms}
            tiers={tiers}
            nowMs={nowMs}
          />
        )}
        {mayChange && (
          <Group justify="space-between" className={formCss.footer}>
            {base === null ? (
              <Box />
            ) : (
              <Button
                variant="default"
                leftSection={<Icon name="trash" size={16} />}
                onClick={() => setConfirming(true)}
              >
                {t('Delete schedule')}
              </Button>
            )}
            <Button type="submit" loading={isBusy} disabled={terms === null || clashes.length > 0}>
              {t('Save')}
            </Button>
          </Group>
        )}
      </Stack>
      {base !== null && (
        <ConfirmDialog
          opened={isConfirming}
          onClose={() => setConfirming(false)}
          title={t('Delete this schedule?')}
          action={t('Delete schedule')}
          onConfirm={remove}
          isDangerous
        >
          <Summary schedule={base} />
          {t('New purchases earn the usual share. Recorded purchases keep theirs.')}
        </ConfirmDialog>
      )}
    </form>
  );
}

function Summary({ schedule }: { schedule: ShareSchedule }) {
  const { zone } = usePreferences();
  return (
    <List size="sm" my="xs">
      <List.Item>{windowText(schedule, zone)}</List.Item>
      {schedule.revShare !== null && (
        <List.Item>{t('All creators {share}', { share: formatPercent(schedule.revShare) })}</List.Item>
      )}
      {schedule.tierShares.map(({ tierId, tierName, revShare }) => (
        <List.Item key={tierId}>
          {tierName} {formatPercent(revShare)}
        </List.Item>
      ))}
    </List>
  );
}

function problemOf(draft: ScheduleDraft): string {
  const { startsAt, endsAt, revShare, tiers } = draft;
  if (startsAt === '' || endsAt === '') return t('Enter a start and an end.');
  if (endsAt <= startsAt) return t('The end must be after the start.');
  if (hasInvalidShare(draft)) return t('Enter shares from 1 to 100 percent.');
  const hasShare = revShare !== '' || Object.values(tiers).some((share) => share !== '');
  return hasShare ? '' : t('Enter a share for all creators or for a tier.');
}

/** Returns the window extended by its own length on each side, to show the neighboring schedules. */
function rangeAround(startsAt: string, endsAt: string) {
  const [from, until] = [Date.parse(startsAt), Date.parse(endsAt)];
  const margin = Math.max(until - from, 3 * dayMs);
  return { from: from - margin, until: until + margin };
}

/** Returns a time about two months before a window's month. It is constant within a month so that typing hits the cache. */
function monthOf(startsAt: string | undefined, nowMs: number): number {
  const month = new Date(startsAt ?? nowMs);
  return addDays(month.setUTCHours(0, 0, 0, 0) - (month.getUTCDate() - 1) * dayMs, -62, 'utc');
}
