import { Alert, Box, Button, Group, List, Text } from '@mantine/core';
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
import { hasCompleteDates } from '../../../ui/dates/date-input.tsx';
import { describeField, fromField, useMovedWindow } from '../../../ui/dates/datetime-field.ts';
import { formCss } from '../../../ui/form-footer.ts';
import { Icon } from '../../../ui/icons.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { type Preferences, usePreferences } from '../../../ui/preferences.ts';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { t } from '../../../ui/text.ts';
import { Timeline } from '../../../ui/timeline.tsx';
import { addDays, dayMs, type Span } from '../../../ui/timeline-grid.ts';
import { toast } from '../../../ui/toast.ts';
import { type Described, useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
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
import { describeShare } from './share-input.tsx';
import { lanesOf, windowText } from './shares-lanes.ts';
import { maxDrawn, useSchedules } from './use-shares.ts';

interface ScheduleEditorProps {
  group: CreatorGroup;
  tiers: readonly ShareTier[];
  schedules: readonly ShareSchedule[];
  /** Null for a new schedule. */
  schedule: ShareSchedule | null;
  /** Window to which the schedule was dragged. The form starts with this window. */
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
  const [isConfirming, setConfirming] = useState(false);
  const finish = async (message: string, saved: ShareSchedule | null): Promise<void> => {
    await refresh(queryClient, 'listShareSchedules');
    toast(message);
    edit.settle();
    onDone(saved);
    if (saved !== null) showRow(saved.scheduleId);
  };
  const edit = useVersionedEdit({
    thing: schedule,
    fieldsOf: (saved): ScheduleDraft =>
      saved === null ? weekendDraft({ group, tiers, schedules }, nowMs, zone) : draftOf(saved, zone),
    ...(schedule !== null && movedTo !== null && { proposed: draftOf(schedule, zone, movedTo) }),
    describe: (each) => describeDraft(each, { tiers, zone }),
    comparable: (each) => ({
      ...each,
      startsAt: fromField(each.startsAt, zone),
      endsAt: fromField(each.endsAt, zone),
    }),
    read: (each) => termsOf(each, zone),
    async save(input, over) {
      const body = { groupId: group.groupId, ...input };
      const { data } =
        over === null
          ? await createShareSchedule({ path: { publisherId }, body, throwOnError: true })
          : await replaceShareSchedule({
              path: { publisherId, scheduleId: over.scheduleId },
              body: { ...body, version: over.version },
              throwOnError: true,
            });
      return data;
    },
    async readAgain() {
      const from = new Date(monthOf(schedule?.startsAt, nowMs)).toISOString();
      const { data } = await listShareSchedules({
        path: { publisherId },
        query: { group: group.groupId, limit: maxDrawn, from },
        throwOnError: true,
      });
      return data.rows.find(({ scheduleId }) => scheduleId === schedule?.scheduleId);
    },
    onSaved: (saved) =>
      finish(
        schedule === null
          ? t('Schedule {window} added', { window: windowText(saved, zone) })
          : t('Schedule {window} changed', { window: windowText(saved, zone) }),
        saved,
      ),
  });
  const { fields: draft, input: terms, base } = edit;
  useMovedWindow(zone, edit.setFields);

  const around = useSchedules(group.groupId, new Date(monthOf(terms?.startsAt, nowMs)).toISOString());
  const others = around.data?.rows ?? schedules;
  const ownId = schedule?.scheduleId ?? null;
  const clashes = terms === null ? [] : clashesOf(terms, others, ownId);
  const mayChange = may('program');
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
    <>
      <VersionedForm
        edit={edit}
        className={formCss.form}
        check={(form) => clashes.length === 0 && hasCompleteDates(form)}
      >
        {mayChange && <FileWarning of={schedule?.provenance ?? null} />}
        <ScheduleFields {...{ draft, tiers, group }} change={edit.change} isOff={!mayChange} />
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
            <SaveButton edit={edit} disabled={terms === null || clashes.length > 0}>
              {edit.base === null ? t('Create schedule') : t('Save')}
            </SaveButton>
          </Group>
        )}
      </VersionedForm>
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
    </>
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

const describeDraft = (
  { startsAt, endsAt, revShare, tiers }: ScheduleDraft,
  known: { tiers: readonly ShareTier[]; zone: Preferences['zone'] },
): Described => [
  [t('Starts at'), describeField(startsAt, known.zone)],
  [t('Ends at'), describeField(endsAt, known.zone)],
  [t('Share for all creators'), describeShare(revShare)],
  ...known.tiers.map(
    ({ tierId, name }) =>
      [t('Share for {tier}', { tier: name }), describeShare(tiers[tierId] ?? '')] as const,
  ),
];

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

/**
 * Returns a time about two months before a window's month. The result is constant within a month, so requests
 * sent while typing hit the cache.
 */
function monthOf(startsAt: string | undefined, nowMs: number): number {
  const month = new Date(startsAt ?? nowMs);
  return addDays(month.setUTCHours(0, 0, 0, 0) - (month.getUTCDate() - 1) * dayMs, -62, 'utc');
}
