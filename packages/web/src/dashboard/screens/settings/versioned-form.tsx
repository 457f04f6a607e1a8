import { Box, Button, Group, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { announce } from '../../../ui/announce.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { isStaleEdit, StaleEditNotice } from '../../../ui/stale-edit.tsx';
import { t } from '../../../ui/text.ts';
import type { TypedTotal } from '../../../ui/typed-total.tsx';

/** Loaded on first use, because few settings ask for confirmation. */
const ConfirmDialog = lazy(() =>
  import('../../../ui/confirm-dialog.tsx').then((found) => ({ default: found.ConfirmDialog })),
);

/** Confirmation of a change that can't be undone. */
export interface Confirmation {
  title: string;
  action: string;
  typed: TypedTotal;
  children: ReactNode;
}

interface VersionedFormProps<Thing extends { version: string | number }> {
  /** Saved settings. */
  thing: Thing;
  /** Saves the input over a version. `replaced` contains that version's settings. */
  save(version: Thing['version'], replaced: Thing): Promise<unknown>;
  /** Reloads the settings after a stale edit. */
  readAgain(): Promise<Thing | undefined>;
  /** Renders the saved settings after a stale edit. */
  summary(thing: Thing): ReactNode;
  onSaved(): Promise<unknown>;
  isChanged: boolean;
  confirmation?: Confirmation | null;
  children: ReactNode;
}

/** Form for settings that two people may edit. After a stale edit, it shows the saved values and keeps the input. */
export function VersionedForm<Thing extends { version: string | number }>(props: VersionedFormProps<Thing>) {
  const { thing, save, readAgain, summary, onSaved, isChanged, confirmation = null, children } = props;
  const [saved, setSaved] = useState<Thing | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [pending, setPending] = useState<Confirmation | null>(null);
  const [isDialogLoaded, setDialogLoaded] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const replaced = saved ?? thing;
      await save(replaced.version, replaced);
      setSaved(null);
      await onSaved();
      announce(t('Saved'));
    } catch (thrown) {
      setError(thrown);
      if (isStaleEdit(thrown)) setSaved((await readAgain()) ?? null);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isBusy || !isChanged) return;
          if (confirmation === null) void send();
          else {
            setDialogLoaded(true);
            setPending(confirmation);
          }
        }}
      >
        <Stack gap="sm">
          {saved !== null && isStaleEdit(error) ? (
            <StaleEditNotice>
              <Box my="xs">{summary(saved)}</Box>
            </StaleEditNotice>
          ) : (
            error !== null && <ErrorNotice error={error} />
          )}
          {children}
          <Group>
            <Button type="submit" loading={isBusy} disabled={!isChanged}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
      {/* Outside the form, because submitting the dialog would also submit the surrounding form. */}
      {isDialogLoaded && (
        <Suspense>
          <ConfirmDialog
            opened={pending !== null}
            onClose={() => setPending(null)}
            title={pending?.title ?? ''}
            action={pending?.action ?? ''}
            typed={pending?.typed}
            isDangerous
            onConfirm={send}
          >
            {pending?.children}
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  );
}
