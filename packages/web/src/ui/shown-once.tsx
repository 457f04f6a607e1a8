import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icons.tsx';
import classes from './shown-once.module.css';
import { t } from './text.ts';

interface ShownOnceProps {
  title: string;
  /** Key or secret to show; null while the dialog is closed. */
  secret: string | null;
  /** Heading of the warning, which names the secret if more than the secret is shown. */
  warning?: string;
  /** True for a command, whose lines are scrolled sideways, because a line that is broken within a word can't be read. */
  isCommand?: boolean;
  /** Advice for the reader, before the secret is gone. */
  advice?: string;
  /** Buttons that copy the secret or parts of it, instead of one that copies all of it. */
  copy?: ReactNode;
  /** Label of the button that closes the dialog. */
  done?: string;
  /** True while another button is the next step. */
  isDoneQuiet?: boolean;
  /** Purpose of the secret and instructions for using it. */
  children: ReactNode;
  /** @param how `left` if the reader navigated away */
  onClose(how: 'saved' | 'left'): void;
}

/**
 * Dialog that shows a secret once. The secret isn't in a URL, cache or storage, so neither Back nor a reload
 * shows it again. Leaving the page discards the secret, even if the browser could restore the page from
 * memory.
 */
export function ShownOnce({
  title,
  secret,
  warning = t('Shown only once'),
  isCommand = false,
  advice = t('You won’t be able to see it again. Copy it now and store it safely.'),
  copy = <CopyButton value={secret ?? ''} label={t('Copy')} withLabel />,
  done = t('I’ve saved it'),
  isDoneQuiet = false,
  children,
  onClose,
}: ShownOnceProps) {
  useEffect(() => {
    if (secret === null) return;
    const leave = (): void => onClose('left');
    window.addEventListener('pagehide', leave);
    window.addEventListener('popstate', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('popstate', leave);
    };
  }, [secret, onClose]);
  return (
    <Modal
      opened={secret !== null}
      onClose={() => onClose('saved')}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" icon={<Icon name="key" />} title={warning}>
          {advice}
        </Alert>
        <Stack gap="xs" align="flex-end">
          <Code
            block
            w="100%"
            className={isCommand ? undefined : classes.wrapped}
            tabIndex={0}
            data-shown-once
            aria-label={title}
          >
            {secret}
          </Code>
          <Group gap="xs" justify="flex-end">
            {copy}
          </Group>
        </Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant={isDoneQuiet ? 'default' : 'filled'} onClick={() => onClose('saved')}>
            {done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
