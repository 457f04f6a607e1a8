import { Box, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listAllBountiesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { createBounty, endBounty, putBounty, showBounty } from '../../../client/sdk.gen.ts';
import type { BountyDetail } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { hasCompleteDates } from '../../../ui/dates/date-input.tsx';
import { fromField, useMovedWindow } from '../../../ui/dates/datetime-field.ts';
import { formCss } from '../../../ui/form-footer.ts';
import { Icon } from '../../../ui/icons.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { type BountyDraft, bodyOf, draftOf, emptyDraft } from './bounty-draft.ts';
import { BountyFields } from './bounty-fields.tsx';
import { describeDraft } from './describe-draft.ts';
import { problemOf } from './draft-problem.ts';

interface BountyEditorProps {
  groupId: string;
  /** Null for a new bounty. */
  bounty: BountyDetail | null;
  onDone(saved: BountyDetail): void;
}

export function BountyEditor({ groupId, bounty, onDone }: BountyEditorProps) {
  const { publisherId, may, nowMs } = usePublisher();
  const { zone } = usePreferences();
  const queryClient = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const { data: listed } = useQuery(
    listAllBountiesOptions({ path: { publisherId }, query: { group: groupId, limit: 250 } }),
  );
  const path = { publisherId };
  const finish = async (message: string, saved: BountyDetail): Promise<void> => {
    await refresh(queryClient, 'listAllBounties', 'showBounty');
    toast(message);
    edit.settle();
    onDone(saved);
    showRow(saved.bountyId);
  };
  const edit = useVersionedEdit({
    thing: bounty,
    fieldsOf: (saved): BountyDraft => (saved === null ? emptyDraft(nowMs(), zone) : draftOf(saved, zone)),
    describe: (each) => describeDraft(each, { bounties: listed?.rows ?? [], zone }),
    comparable: (each) => ({
      ...each,
      startsAt: fromField(each.startsAt, zone),
      endsAt: fromField(each.endsAt, zone),
    }),
    read: (each) => bodyOf(each, zone),
    async save(body, over) {
      const { data } =
        over === null
          ? await createBounty({ path, body: { ...body, groupId, version: null }, throwOnError: true })
          : await putBounty({
              path: { ...path, bountyId: over.bountyId },
              body: { ...body, groupId: over.groupId, version: over.version },
              throwOnError: true,
            });
      return data;
    },
    async readAgain() {
      const bountyId = bounty?.bountyId ?? '';
      return (await showBounty({ path: { ...path, bountyId }, throwOnError: true })).data;
    },
    onSaved: (saved) =>
      finish(bounty === null ? t('Bounty {name} created', saved) : t('Bounty {name} changed', saved), saved),
  });
  const { fields: draft, base } = edit;
  useMovedWindow(zone, edit.setFields);
  const mayChange = may('program');
  return (
    <>
      <VersionedForm edit={edit} className={formCss.form} check={hasCompleteDates}>
        {mayChange && <FileWarning of={bounty?.provenance ?? null} />}
        <BountyFields
          draft={draft}
          onChange={edit.change}
          locked={base?.locked ?? null}
          others={(listed?.rows ?? []).filter(({ bountyId }) => bountyId !== base?.bountyId)}
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
              {edit.input === null && (
                <Text size="sm" c="dimmed">
                  {problemOf(draft, zone)}
                </Text>
              )}
              <SaveButton edit={edit} disabled={edit.input === null}>
                {base === null ? t('Create bounty') : t('Save')}
              </SaveButton>
            </Group>
          </Group>
        )}
      </VersionedForm>
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
            'Later purchases and events no longer count, and the bounty can’t be reopened. {members, plural, =0 {No creator has started it.} one {# creator has started it and will keep any rewards already earned.} other {# creators have started it and will keep any rewards already earned.}}',
            { members: base.begun.members },
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
