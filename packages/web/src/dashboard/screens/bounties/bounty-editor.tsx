import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listAllBountiesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { createBounty, endBounty, putBounty, showBounty } from '../../../client/sdk.gen.ts';
import type { BountyDetail } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { hasCompleteDates } from '../../../ui/date-input.tsx';
import { fromField, useMovedWindow } from '../../../ui/datetime-field.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formCss } from '../../../ui/form-footer.ts';
import { Icon } from '../../../ui/icons.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { isStaleEdit, StaleEditNotice } from '../../../ui/stale-edit.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';
import { type BountyDraft, bodyOf, draftOf, emptyDraft } from './bounty-draft.ts';
import { BountyFields } from './bounty-fields.tsx';
import { problemOf } from './draft-problem.ts';

interface BountyEditorProps {
  groupId: string;
  /** Null for a new bounty. */
  bounty: BountyDetail | null;
  /** Closes the form and shows the list that now includes the bounty. */
  onDone(saved: BountyDetail): void;
}

/** Form for a bounty. */
export function BountyEditor({ groupId, bounty, onDone }: BountyEditorProps) {
  const { publisherId, may, nowMs } = usePublisher();
  const { zone } = usePreferences();
  const queryClient = useQueryClient();
  const [base, setBase] = useState(bounty);
  const [draft, setDraft] = useState<BountyDraft>(() =>
    bounty === null ? emptyDraft(nowMs(), zone) : draftOf(bounty, zone),
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
  const others = useQuery(
    listAllBountiesOptions({ path: { publisherId }, query: { group: groupId, limit: 250 } }),
  );
  const body = bodyOf(draft, zone);
  const mayChange = may('program');
  const path = { publisherId };

  const finish = async (message: string, saved: BountyDetail): Promise<void> => {
    await refresh(queryClient, 'listAllBounties', 'showBounty');
    toast(message);
    settle();
    onDone(saved);
    showRow(saved.bountyId);
  };
  const save = async (): Promise<void> => {
    if (body === null) return;
    setBusy(true);
    setError(null);
    try {
      const { data } =
        base === null
          ? await createBounty({ path, body: { ...body, groupId, version: null }, throwOnError: true })
          : await putBounty({
              path: { ...path, bountyId: base.bountyId },
              body: { ...body, groupId: base.groupId, version: base.version },
              throwOnError: true,
            });
      await finish(t('Bounty {name} saved', data), data);
    } catch (thrown) {
      setError(thrown);
      if (base !== null && isStaleEdit(thrown)) {
        const { data } = await showBounty({ path: { ...path, bountyId: base.bountyId }, throwOnError: true });
        setBase(data);
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      className={formCss.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && hasCompleteDates(event.currentTarget)) void save();
      }}
    >
      <Stack>
        {mayChange && <FileWarning of={bounty?.provenance ?? null} />}
        {base !== null && isStaleEdit(error) ? (
          <StaleEditNotice>
            <Text size="sm" my="xs">
              {base.name}: {base.objectives.map(({ name }) => name).join(', ')} →{' '}
              {base.rewards.map(({ name }) => name).join(', ')}
            </Text>
          </StaleEditNotice>
        ) : (
          error !== null && <ErrorNotice error={error} />
        )}
        <BountyFields
          draft={draft}
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
          locked={base?.locked ?? null}
          others={(others.data?.rows ?? []).filter(({ bountyId }) => bountyId !== base?.bountyId)}
          isOff={!mayChange}
        />
        {mayChange && (
          <Group justify="space-between" className={formCss.footer}>
            {base === null || base.isEnded ? (
              <Box />
            ) : (
              <Button
                variant="default"
                leftSection={<Icon name="stop" size={16} />}
                onClick={() => setConfirming(true)}
              >
                {t('End bounty')}
              </Button>
            )}
            <Group gap="xs">
              {body === null && (
                <Text size="sm" c="dimmed">
                  {problemOf(draft, zone)}
                </Text>
              )}
              <Button type="submit" loading={isBusy} disabled={body === null}>
                {t('Save')}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
      {base !== null && (
        <ConfirmDialog
          opened={isConfirming}
          onClose={() => setConfirming(false)}
          title={t('End {name} now?', base)}
          action={t('End bounty')}
          isDangerous
          onConfirm={async () => {
            const { data } = await endBounty({
              path: { ...path, bountyId: base.bountyId },
              body: {},
              throwOnError: true,
            });
            await finish(t('Bounty {name} ended', data), data);
          }}
        >
          {t(
            'Later purchases and events no longer count, and the bounty can’t be reopened. {members, plural, =0 {No creator has started it.} one {# creator has started it and keeps completed rewards.} other {# creators have started it and keep completed rewards.}}',
            { members: base.begun.members },
          )}
        </ConfirmDialog>
      )}
    </form>
  );
}
