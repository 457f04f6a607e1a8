import { Box, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { announce } from '../../../ui/announce.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { isLostRace, LostRace } from '../../../ui/lost-race.tsx';
import { t } from '../../../ui/text.ts';

interface VersionedFormProps<Thing extends { version: string | number }> {
  /** As it was read. */
  thing: Thing;
  /** Sends what was typed, with the version that it replaces. */
  save(version: Thing['version']): Promise<unknown>;
  /** Reads it as it is by now, when somebody else was faster. */
  readAgain(): Promise<Thing | undefined>;
  /** What is saved by now, for whoever was slower. */
  summary(thing: Thing): ReactNode;
  onSaved(): Promise<unknown>;
  isChanged: boolean;
  children: ReactNode;
}

/** A form for something that two people may edit: after a lost race both are in sight, and nothing typed is lost. */
export function VersionedForm<Thing extends { version: string | number }>(props: VersionedFormProps<Thing>) {
  const { thing, save, readAgain, summary, onSaved, isChanged, children } = props;
  const [theirs, setTheirs] = useState<Thing | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await save((theirs ?? thing).version);
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && isChanged) void send();
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
  );
}
