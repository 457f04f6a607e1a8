import { Box, Button, Group, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { announce } from '../../../ui/announce.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { isLostRace, LostRace } from '../../../ui/lost-race.tsx';
import { t } from '../../../ui/text.ts';
import type { TypedTotal } from '../../../ui/typed-total.tsx';

/** Few settings ask before they are saved: what asks is loaded then. */
const ConfirmDialog = lazy(() =>
  import('../../../ui/confirm-dialog.tsx').then((found) => ({ default: found.ConfirmDialog })),
);

/** What is asked before something is saved that nothing takes back. */
export interface AskedFirst {
  title: string;
  action: string;
  typed: TypedTotal;
  children: ReactNode;
}

interface VersionedFormProps<Thing extends { version: string | number }> {
  /** As it was read. */
  thing: Thing;
  /** Sends what was typed, with the version that it replaces, and what that is. */
  save(version: Thing['version'], replaced: Thing): Promise<unknown>;
  /** Reads it as it is by now, when somebody else was faster. */
  readAgain(): Promise<Thing | undefined>;
  /** What is saved by now, for whoever was slower. */
  summary(thing: Thing): ReactNode;
  onSaved(): Promise<unknown>;
  isChanged: boolean;
  asksFirst?: AskedFirst | null;
  children: ReactNode;
}

/** A form for something that two people may edit: after a lost race both are in sight, and nothing typed is lost. */
export function VersionedForm<Thing extends { version: string | number }>(props: VersionedFormProps<Thing>) {
  const { thing, save, readAgain, summary, onSaved, isChanged, asksFirst = null, children } = props;
  const [theirs, setTheirs] = useState<Thing | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<AskedFirst | null>(null);
  const [wasAsked, setWasAsked] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const replaced = theirs ?? thing;
      await save(replaced.version, replaced);
      setTheirs(null);
      await onSaved();
      announce(t('Saved'));
    } catch (thrown) {
      setError(thrown);
      if (isLostRace(thrown)) setTheirs((await readAgain()) ?? null);
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
          if (asksFirst === null) void send();
          else {
            setWasAsked(true);
            setAsked(asksFirst);
          }
        }}
      >
        <Stack gap="sm">
          {theirs !== null && isLostRace(error) ? (
            <LostRace>
              <Box my="xs">{summary(theirs)}</Box>
            </LostRace>
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
      {/* Beside the form: what is submitted in the dialog would submit what it stands in, too. */}
      {wasAsked && (
        <Suspense>
          <ConfirmDialog
            opened={asked !== null}
            onClose={() => setAsked(null)}
            title={asked?.title ?? ''}
            action={asked?.action ?? ''}
            typed={asked?.typed}
            isDangerous
            onConfirm={send}
          >
            {asked?.children}
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  );
}
