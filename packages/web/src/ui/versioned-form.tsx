import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { announce } from './announce.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Icon } from './icons.tsx';
import { unknown } from './money.tsx';
import { t } from './text.ts';
import type { Compared, Edit } from './versioned-edit.ts';
import classes from './versioned-form.module.css';

interface VersionedFormProps {
  edit: Edit;
  /** Validates the fields before each save, including a save over someone else's version. */
  check?(form: HTMLFormElement): boolean;
  /** Error to show above the fields, if the form shows errors at its fields, too; the edit's error by default. */
  notice?: unknown;
  /** Replaces saving, for a form that asks for confirmation first. */
  onSubmit?(): void;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Form of a versioned edit. After a stale edit, the input isn't lost, and the form shows the other person's
 * values next to it.
 */
export function VersionedForm({
  edit,
  check,
  notice: error = edit.error,
  onSubmit,
  className,
  children,
}: VersionedFormProps) {
  const { isBusy, compared, save, takeTheirs } = edit;
  return (
    <form
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy || check?.(event.currentTarget) === false) return;
        if (onSubmit === undefined) void save();
        else onSubmit();
      }}
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t save the changes')} />}
        {compared !== null && <StaleEdit compared={compared} onTakeTheirs={takeTheirs} />}
        {children}
      </Stack>
    </form>
  );
}

interface SaveButtonProps {
  edit: Edit;
  disabled?: boolean;
  /** Label; "Save" by default. */
  children?: ReactNode;
}

/**
 * Button that saves a versioned edit that changes something. After a stale edit, its label says that the save replaces the other
 * person's version.
 */
export const SaveButton = ({ edit, disabled = false, children = t('Save') }: SaveButtonProps) => (
  <Button type="submit" loading={edit.isBusy} disabled={disabled || !edit.isChanged}>
    {edit.compared === null ? children : t('Save my changes')}
  </Button>
);

interface StaleEditProps {
  compared: Compared;
  onTakeTheirs(): void;
}

/** Shows where the saved values differ from the input. */
function StaleEdit({ compared: { theirs, yours }, onTakeTheirs }: StaleEditProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button may be a whole screen further down.
    notice.current?.scrollIntoView({ block: 'nearest' });
    // This isn't an alert, because its values change while the reader types.
    announce(t('Someone else changed this first'));
  }, []);
  const names = [...new Set([...theirs, ...yours].map(([name]) => name))];
  const textOf = (described: Compared['theirs'], name: string): string =>
    described.find(([each]) => each === name)?.[1] || unknown;
  const rows = names
    .map((name) => ({ name, theirs: textOf(theirs, name), yours: textOf(yours, name) }))
    .filter((row) => row.theirs !== row.yours);
  return (
    <Alert
      ref={notice}
      className={classes.notice}
      color="orange"
      role="group"
      icon={<Icon name="alert" />}
      title={t('Someone else changed this first')}
    >
      <Stack gap="xs">
        <Text size="sm">
          {rows.length === 0
            ? t('Your changes weren’t saved. The saved values are the same as yours.')
            : t('Your changes weren’t saved. They’re still in the form.')}
        </Text>
        {rows.length > 0 && (
          <Table aria-label={t('Saved values and yours')} className={classes.compared}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('Field')}</Table.Th>
                <Table.Th scope="col">{t('Saved')}</Table.Th>
                <Table.Th scope="col">{t('Yours')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.name}>
                  <Table.Th scope="row">{row.name}</Table.Th>
                  <Table.Td>{row.theirs}</Table.Td>
                  <Table.Td>{row.yours}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Group>
          <Button variant="default" size="xs" onClick={onTakeTheirs}>
            {t('Use saved values')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
