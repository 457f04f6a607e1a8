import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Icon } from './icons.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';
import { useNarrow } from './use-narrow.ts';

interface ExportProps {
  /** Admin API path that streams the file. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  label: string;
  /** Approximate size of the file, such as "1,204 rows" or "more than 50 entries". Undefined until it is known. */
  amount: string | undefined;
  /** Filters that apply to the file, in words. */
  filters: string;
  /** True if there is nothing to export. */
  isEmpty?: boolean;
}

/** Button that shows what an export will contain before it starts. On a phone, it is an icon beside the screen's tools. */
export function ExportButton(props: ExportProps) {
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useNarrow();
  return (
    <>
      {isNarrow ? (
        <ActionIcon
          variant="default"
          size={36}
          data-export
          disabled={props.isEmpty}
          aria-label={props.label}
          onClick={() => setOpen(true)}
        >
          <Icon name="download" size={16} />
        </ActionIcon>
      ) : (
        <OpenExport label={props.label} isDisabled={props.isEmpty} onClick={() => setOpen(true)} />
      )}
      <ExportDialog {...props} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/**
 * Button that opens an `ExportDialog` of its screen. Among several actions of a screen, which a phone shows in a menu, the
 * dialog must be outside them, because the menu hides it when it closes.
 */
export function OpenExport({ label, isDisabled = false, onClick }: OpenExportProps) {
  return (
    <Button
      variant="default"
      data-export
      disabled={isDisabled}
      leftSection={<Icon name="download" size={16} />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

interface OpenExportProps {
  label: string;
  isDisabled?: boolean | undefined;
  onClick(): void;
}

interface ExportDialogProps extends ExportProps {
  opened: boolean;
  onClose(): void;
}

/** Dialog that shows what an export will contain. The file has all columns, including hidden ones. */
export function ExportDialog({
  path,
  query = {},
  label,
  amount,
  filters,
  opened,
  onClose,
}: ExportDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={label}>
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
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            component="a"
            href={`${path}${stringifyQuery(query)}`}
            download
            leftSection={<Icon name="download" size={16} />}
            data-autofocus
            onClick={onClose}
          >
            {t('Download')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
