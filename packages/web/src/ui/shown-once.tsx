import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

interface ShownOnceProps {
  title: string;
  /** Key or secret to show; null while the dialog is closed. */
  secret: string | null;
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
export function ShownOnce({ title, secret, children, onClose }: ShownOnceProps) {
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
        <Alert color="yellow" icon={<Icon name="key" />} title={t('Shown only once')}>
          {t('You won’t be able to see it again. Copy it now and store it safely.')}
        </Alert>
        <Group gap="xs" align="center" wrap="nowrap">
          <Code block tabIndex={0} flex={1} data-shown-once aria-label={title}>
            {secret}
          </Code>
          <CopyButton value={secret ?? ''} label={t('Copy')} withLabel />
        </Group>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button onClick={() => onClose('saved')}>{t('I’ve saved it')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
