import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { t } from './text.ts';
import { type TypedTotal, TypedTotalInput } from './typed-total.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose(): void;
  /** Question, such as "Pay 12 creators?". */
  title: string;
  /** Amount, count and consequences. */
  children: ReactNode;
  /** Label of the confirm button: "Mark as paid", never "OK". */
  action: string;
  /** Performs the action. If it throws, the dialog stays open and shows the error. */
  onConfirm(): Promise<unknown>;
  /** Validates the fields among the children before the action runs, as `useFormErrors` does. */
  check?: ((form: HTMLFormElement) => boolean) | undefined;
  /** Total to type first, for an action that can't be undone. */
  typed?: TypedTotal | undefined;
  /** Label of the button that closes the dialog; "Cancel" by default. */
  dismiss?: string;
  isDangerous?: boolean;
}

/** Asks for confirmation and runs the action once. */
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
  dismiss = t('Cancel'),
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
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t complete the action')} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {dismiss}
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
