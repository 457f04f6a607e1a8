import { Box, Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Provenance } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { isStaleEdit, StaleEditNotice } from '../../../ui/stale-edit.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';

/** Saved version of an editable item. */
interface Versioned {
  version: string;
  provenance: Provenance | null;
}

interface ShareEditorProps<Thing extends Versioned> {
  /** Null for a new item. */
  thing: Thing | null;
  /** Field values, used to detect unsaved changes. */
  values: unknown;
  /** Name in the toast. */
  name: string;
  /** Operation that lists items of this kind. */
  listedBy: string;
  /**
   * Saves the input over a version, or as a new item if the version is null. Null while a field is missing or invalid.
   * @returns key of the saved row
   */
  save: ((version: string | null) => Promise<string>) | null;
  /** Reloads the saved version. */
  readAgain(): Promise<Thing | undefined>;
  /** Renders the saved version after a stale edit. */
  summary(thing: Thing): ReactNode;
  /** Removal, with its confirmation. */
  removal?: {
    question: string;
    action: string;
    consequence: string;
    remove(version: string): Promise<unknown>;
  };
  onDone(): void;
  children: ReactNode;
}

/** Form in a drawer for an item that two people may edit. After a stale edit, it also shows the saved values. */
export function ShareEditor<Thing extends Versioned>(props: ShareEditorProps<Thing>) {
  const { thing, values, name, listedBy, removal, save: send, onDone, children } = props;
  const { may } = usePublisher();
  const queryClient = useQueryClient();
  const [base, setBase] = useState(thing);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const settle = useUnsaved(values);
  const mayChange = may('program');
  const finish = async (message: string): Promise<void> => {
    await refresh(queryClient, listedBy);
    await queryClient.invalidateQueries({ queryKey: ['groups'] });
    toast(message);
    settle();
    onDone();
  };
  const save = async (): Promise<void> => {
    if (send === null) return;
    setBusy(true);
    setError(null);
    try {
      const key = await send(base?.version ?? null);
      await finish(t('{name} saved', { name }));
      showRow(key);
    } catch (thrown) {
      setError(thrown);
      if (base !== null && isStaleEdit(thrown)) setBase((await props.readAgain()) ?? base);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void save();
      }}
    >
      <Stack>
        {mayChange && <FileWarning of={thing?.provenance ?? null} />}
        {base !== null && isStaleEdit(error) ? (
          <StaleEditNotice>
            <Box my="xs">{props.summary(base)}</Box>
          </StaleEditNotice>
        ) : (
          error !== null && <ErrorNotice error={error} />
        )}
        {children}
        {mayChange && (
          <Group justify="space-between">
            {base !== null && removal !== undefined ? (
              <Button
                variant="default"
                leftSection={<Icon name="trash" size={16} />}
                onClick={() => setConfirming(true)}
              >
                {t('Remove')}
              </Button>
            ) : (
              <Box />
            )}
            <Button type="submit" loading={isBusy} disabled={send === null}>
              {t('Save')}
            </Button>
          </Group>
        )}
      </Stack>
      {base !== null && removal !== undefined && (
        <ConfirmDialog
          opened={isConfirming}
          onClose={() => setConfirming(false)}
          title={removal.question}
          action={removal.action}
          onConfirm={async () => {
            await removal.remove(base.version);
            await finish(t('{name} removed', { name }));
          }}
          isDangerous
        >
          {removal.consequence}
        </ConfirmDialog>
      )}
    </form>
  );
}
