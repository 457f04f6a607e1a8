import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

interface ShownOnceProps {
  title: string;
  /** The key or the secret; null while there is none to show. */
  secret: string | null;
  /** What it is for, and what to do with it now. */
  children: ReactNode;
  /** @param how `left` when the page, or its address, was left */
  onClose(how: 'kept' | 'left'): void;
}

/**
 * Shows a secret, once: it stands in no address, no cache and no storage, so neither Back nor a reload shows it again. Who
 * leaves the page leaves it behind, also where the browser would keep the page as it was.
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
      onClose={() => onClose('kept')}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" icon={<Icon name="key" />} title={t('It is shown this once')}>
          {t('The service does not keep it. Copy it now, to where secrets are kept.')}
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
          <Button onClick={() => onClose('kept')}>{t('I have kept it')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
