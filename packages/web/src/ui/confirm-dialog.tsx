import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { t } from './text.ts';
import { type TypedTotal, TypedTotalInput } from './typed-total.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose(): void;
  /** A question, as "Pay 12 creators?". */
  title: string;
  /** The amount, how many it concerns, and what follows from it. */
  children: ReactNode;
  /** The button's words say what it does: "Mark as paid", never "OK". */
  action: string;
  /** Does it. The dialog stays open, with what went wrong, when it throws. */
  onConfirm(): Promise<unknown>;
  /** Judges the fields among the children, as `useComplete` does, before anything is done. */
  check?: ((form: HTMLFormElement) => boolean) | undefined;
  /** Total that has to be typed first, where nothing takes it back. */
  typed?: TypedTotal | undefined;
  isDangerous?: boolean;
}

/** Asks before something that matters is done, once. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} data-confirm>
      {opened && <Question {...props} />}
    </Dialog>
  );
}

function Question({
  onClose,
  children,
  action,
  onConfirm,
  check,
  typed,
  isDangerous = false,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isTyped = typed === undefined || typed.isTyped(text);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped && !isBusy && check?.(event.currentTarget) !== false) void confirm();
      }}
    >
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {typed !== undefined && <TypedTotalInput total={typed} value={text} onChange={setText} />}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Leave it')}
          </Button>
          <Button
            type="submit"
            color={isDangerous ? 'red' : undefined}
            loading={isBusy}
            disabled={!isTyped}
            data-autofocus={typed === undefined || undefined}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
