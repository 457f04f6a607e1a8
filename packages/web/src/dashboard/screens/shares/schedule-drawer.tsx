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
import { isWhole } from '../../../ui/date-input.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formCss } from '../../../ui/form-footer.ts';
import { Icon } from '../../../ui/icons.tsx';
import { isLostRace, LostRace } from '../../../ui/lost-race.tsx';
import { fromField, useMovedWindow } from '../../../ui/moment-field.ts';
import { formatPercent } from '../../../ui/percent.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
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
  hasRefusedShare,
  type ScheduleDraft,
  termsOf,
  weekendDraft,
} from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { lanesOf, windowText } from './shares-lanes.ts';
import { drawn, useSchedules } from './use-shares.ts';

interface ScheduleEditorProps {
  group: CreatorGroup;
  tiers: readonly ShareTier[];
  schedules: readonly ShareSchedule[];
  /** Null: a new one. */
  schedule: ShareSchedule | null;
  /** Where it was dragged to, which is proposed as if it were typed. */
  movedTo: Span | null;
  nowMs: number;
  /** Closes the form, and brings what was saved into sight. */
  onDone(saved: ShareSchedule | null): void;
}

/** A schedule in a form, with where it lies among the others and what it would have cost, while it is typed. */
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
  const [isAsking, setAsking] = useState(false);

  const terms = termsOf(draft, zone);
  const around = useSchedules(group.groupId, new Date(monthOf(terms?.startsAt, nowMs)).toISOString());
  const others = around.data?.rows ?? schedules;
  const itself = schedule?.scheduleId ?? null;
  const clashes = terms === null ? [] : clashesOf(terms, others, itself);
  const mayChange = may('program');
  const change = (changes: Partial<ScheduleDraft>): void => setDraft((before) => ({ ...before, ...changes }));

  const afterwards = async (said: string, saved: ShareSchedule | null): Promise<void> => {
    await refresh(queryClient, 'listShareSchedules');
    toast(said);
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
      await afterwards(t('The schedule {window} is saved', { window: windowText(data, zone) }), data);
    } catch (thrown) {
      setError(thrown);
      if (base !== null && isLostRace(thrown)) setBase((await readAgain(base)) ?? base);
    } finally {
      setBusy(false);
    }
  };
  const readAgain = async ({ scheduleId, startsAt }: ShareSchedule): Promise<ShareSchedule | undefined> => {
    await refresh(queryClient, 'listShareSchedules');
    const from = new Date(monthOf(startsAt, nowMs)).toISOString();
    const { data } = await listShareSchedules({
      path: { publisherId },
      query: { group: group.groupId, limit: drawn, from },
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
    await afterwards(t('The schedule {window} is deleted', { window: windowText(base, zone) }), null);
  };

  return (
    <form
      noValidate
      className={formCss.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && terms !== null && clashes.length === 0 && isWhole(event.currentTarget)) void save();
      }}
    >
      <Stack>
        {mayChange && <FileWarning of={schedule?.provenance ?? null} />}
        {base !== null && isLostRace(error) ? (
          <LostRace>
            <Summary schedule={base} />
          </LostRace>
        ) : (
          error !== null && <ErrorNotice error={error} />
        )}
        <ScheduleFields {...{ draft, change, tiers, group }} isOff={!mayChange} />
        {terms === null ? (
          <Text size="sm" c="dimmed">
            {missing(draft)}
          </Text>
        ) : (
          <>
            {clashes.length > 0 && (
              <Alert color="red" role="alert" icon={<Icon name="alert" />} title={t('This cannot be saved')}>
                {t('At any moment one schedule of the group holds. In the way:')}
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
                draft: { terms, clashes, itself },
              })}
              said={t('A drawing of the window among the others. What is in its way is said above.')}
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
                onClick={() => setAsking(true)}
              >
                {t('Delete')}
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
          opened={isAsking}
          onClose={() => setAsking(false)}
          title={t('Delete this schedule?')}
          action={t('Delete the schedule')}
          onConfirm={remove}
          isDangerous
        >
          <Summary schedule={base} />
          {t('From now on purchases earn by the other rules. What was recorded keeps its share.')}
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
        <List.Item>{t('Everybody {share}', { share: formatPercent(schedule.revShare) })}</List.Item>
      )}
      {schedule.tierShares.map(({ tierId, tierName, revShare }) => (
        <List.Item key={tierId}>
          {tierName} {formatPercent(revShare)}
        </List.Item>
      ))}
    </List>
  );
}

function missing(draft: ScheduleDraft): string {
  const { startsAt, endsAt, revShare, tiers } = draft;
  if (startsAt === '' || endsAt === '') return t('The window needs a first moment and an end.');
  if (endsAt <= startsAt) return t('The window must end after it begins.');
  if (hasRefusedShare(draft)) return t('A share above is not a percentage from 1 to 100.');
  const hasShare = revShare !== '' || Object.values(tiers).some((share) => share !== '');
  return hasShare ? '' : t('It needs a share for everybody, or for a tier.');
}

/** The window with as much again before and behind it, so that its neighbors are seen. */
function rangeAround(startsAt: string, endsAt: string) {
  const [from, until] = [Date.parse(startsAt), Date.parse(endsAt)];
  const room = Math.max(until - from, 3 * dayMs);
  return { from: from - room, until: until + room };
}

/** Some weeks before a window, the same for all windows of a month: what was asked is not asked again for each letter. */
function monthOf(startsAt: string | undefined, nowMs: number): number {
  const month = new Date(startsAt ?? nowMs);
  return addDays(month.setUTCHours(0, 0, 0, 0) - (month.getUTCDate() - 1) * dayMs, -62, 'utc');
}
