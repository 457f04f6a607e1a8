import { Box, Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Provenance } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { isLostRace, LostRace } from '../../../ui/lost-race.tsx';
import { FileWarning } from '../../../ui/provenance.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';

/** What can be edited, as it was read. */
interface Versioned {
  version: string;
  provenance: Provenance | null;
}

interface ShareEditorProps<Thing extends Versioned> {
  /** Null: a new one. */
  thing: Thing | null;
  /** Fields as they are typed, to tell whether something was changed. */
  values: unknown;
  /** What the toast calls it. */
  name: string;
  /** The operation that lists such things. */
  listedBy: string;
  /**
   * Saves what is typed, in place of a version (null: as a new one). Null while something is missing or refused.
   * @returns key of its row
   */
  save: ((version: string | null) => Promise<string>) | null;
  /** Reads it as it is now. */
  readAgain(): Promise<Thing | undefined>;
  /** What is saved, for whoever was slower. */
  summary(thing: Thing): ReactNode;
  /** What takes it away, and what is said before. */
  removal?: { question: string; action: string; follows: string; remove(version: string): Promise<unknown> };
  onDone(): void;
  children: ReactNode;
}

/** A form in a drawer for something that two people may edit: saved with its version, and both are shown after a lost race. */
export function ShareEditor<Thing extends Versioned>(props: ShareEditorProps<Thing>) {
  const { thing, values, name, listedBy, removal, save: send, onDone, children } = props;
  const { may } = usePublisher();
  const queryClient = useQueryClient();
  const [base, setBase] = useState(thing);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const settle = useUnsaved(values);
  const mayChange = may('program');
  const afterwards = async (said: string): Promise<void> => {
    await refresh(queryClient, listedBy);
    await queryClient.invalidateQueries({ queryKey: ['groups'] });
    toast(said);
    settle();
    onDone();
  };
  const save = async (): Promise<void> => {
    if (send === null) return;
    setBusy(true);
    setError(null);
    try {
      const key = await send(base?.version ?? null);
      await afterwards(t('{name} is saved', { name }));
      showRow(key);
    } catch (thrown) {
      setError(thrown);
      if (base !== null && isLostRace(thrown)) setBase((await props.readAgain()) ?? base);
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
        {base !== null && isLostRace(error) ? (
          <LostRace>
            <Box my="xs">{props.summary(base)}</Box>
          </LostRace>
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
                onClick={() => setAsking(true)}
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
          opened={isAsking}
          onClose={() => setAsking(false)}
          title={removal.question}
          action={removal.action}
          onConfirm={async () => {
            await removal.remove(base.version);
            await afterwards(t('{name} is removed', { name }));
          }}
          isDangerous
        >
          {removal.follows}
        </ConfirmDialog>
      )}
    </form>
  );
}
