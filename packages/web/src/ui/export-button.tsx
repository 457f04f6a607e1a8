import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Icon } from './icons.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';

interface ExportButtonProps {
  /** Admin API path that streams the file. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  label: string;
  /** Approximate size of the file, such as "1,204 rows" or "more than 50 entries". Undefined until it is known. */
  amount: string | undefined;
  /** Filters that apply to the file, in words. */
  filters: string;
}

/** Button that shows what an export will contain before it starts. The file has all columns, including hidden ones. */
export function ExportButton({ path, query = {}, label, amount, filters }: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        variant="default"
        data-export
        leftSection={<Icon name="download" size={16} />}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={label}>
        <Stack>
          <Text size="sm">
            {amount === undefined ? t('The file contains:') : t('The file contains {amount}:', { amount })}{' '}
            {filters}
          </Text>
          <Text size="sm" c="dimmed">
            {t(
              'It contains all columns, including hidden ones. Rows added while the file is being written may be missing.',
            )}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              component="a"
              href={`${path}${stringifyQuery(query)}`}
              download
              leftSection={<Icon name="download" size={16} />}
              data-autofocus
              onClick={close}
            >
              {t('Download')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
