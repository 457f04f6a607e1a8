import { Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import classes from './export-dialog.module.css';
import { type ExportState, useExportDownload } from './export-download.ts';
import { Icon } from './icons.tsx';
import { formatCount } from './percent.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';

export interface ExportProps {
  /** Admin API path that streams the file. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  label: string;
  /** Approximate size of the file, such as "1,204 rows" or "more than 50 entries". Undefined until it is known. */
  amount: string | undefined;
  /** Number of lines with a row, if it is known exactly. */
  rowCount?: number | undefined;
  /** Filters that apply to the file, in words. */
  filters: string;
  /** Contents of the file's columns, in words. */
  columns: string;
  /** Another format of the same rows, for programs. */
  otherFormat?: { name: string; path: string; columns: string };
}

interface ExportDialogProps extends ExportProps {
  opened: boolean;
  onClose(): void;
}

/** Maximum number of rows that the page downloads itself. The browser downloads a larger file, and shows its progress. */
const maxOwnRows = 200_000;

/** Dialog that shows what an export will contain, its progress, and where the file was saved. */
export function ExportDialog({
  opened,
  onClose,
  path,
  query = {},
  label,
  otherFormat,
  ...given
}: ExportDialogProps) {
  const [isOther, setOther] = useState(false);
  const chosen = isOther ? otherFormat : undefined;
  const contents = { ...given, ...(chosen !== undefined && { columns: chosen.columns }) };
  const url = `${chosen?.path ?? path}${stringifyQuery(query)}`;
  const { state, start, reset } = useExportDownload(url);
  const { rowCount } = contents;
  const close = (): void => {
    reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={label}>
      <Stack>
        {otherFormat !== undefined && state.step === 'ready' && (
          <SegmentedControl
            aria-label={t('Format')}
            data={['CSV', otherFormat.name]}
            value={isOther ? otherFormat.name : 'CSV'}
            onChange={(name) => setOther(name !== 'CSV')}
          />
        )}
        <Contents {...contents} />
        {state.step === 'running' && <Running state={state} rowCount={rowCount} />}
        {state.step === 'saved' && <Saved state={state} />}
        {state.step === 'too large' && (
          <Text size="sm" role="status">
            {t(
              'The file is larger than 100 MB, so only your browser can download it. No file was saved yet.',
            )}
          </Text>
        )}
        {state.step === 'failed' && (
          <ErrorNotice error={state.error} title={t('Couldn’t export. No file was saved.')} />
        )}
        <Group justify="flex-end">
          {state.step === 'saved' ? (
            <Button onClick={close} data-autofocus>
              {t('Done')}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={close}>
                {t('Cancel')}
              </Button>
              {state.step === 'too large' || (rowCount !== undefined && rowCount > maxOwnRows) ? (
                <Button
                  component="a"
                  href={url}
                  download
                  leftSection={<Icon name="download" size={16} />}
                  onClick={close}
                >
                  {t('Download in browser')}
                </Button>
              ) : (
                <Button
                  leftSection={<Icon name="download" size={16} />}
                  data-autofocus
                  loading={state.step === 'running'}
                  onClick={() => void start()}
                >
                  {state.step === 'failed' ? t('Try again') : t('Download')}
                </Button>
              )}
            </>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Contents of the file, line by line, so that they are checked at a glance. */
const Contents = ({ amount, filters, columns }: Pick<ExportProps, 'amount' | 'filters' | 'columns'>) => (
  <dl className={classes.contents}>
    {amount !== undefined && (
      <>
        <dt>{t('Contents')}</dt>
        <dd>{amount}</dd>
      </>
    )}
    <dt>{t('Filter')}</dt>
    <dd>{filters}</dd>
    <dt>{t('Columns')}</dt>
    <dd>{columns}</dd>
  </dl>
);

function Running({
  state: { lines, bytes },
  rowCount,
}: {
  state: Extract<ExportState, { step: 'running' }>;
  rowCount: number | undefined;
}) {
  const rows = Math.max(0, lines - 1); // the first line has the columns' names
  const isKnown = rowCount !== undefined && rowCount > 0;
  return (
    <Stack gap={4}>
      <Progress
        value={isKnown ? Math.min(100, (100 * rows) / rowCount) : 100}
        animated={!isKnown}
        aria-label={t('Export progress')}
      />
      <Text size="sm" c="dimmed">
        {isKnown
          ? t('{rows} of {all} rows', {
              rows: formatCount(Math.min(rows, rowCount)),
              all: formatCount(rowCount),
            })
          : t('{rows} rows, {size}', { rows: formatCount(rows), size: sizeOf(bytes) })}
      </Text>
    </Stack>
  );
}

const Saved = ({ state: { fileName, bytes } }: { state: Extract<ExportState, { step: 'saved' }> }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start" role="status">
    <Text c="var(--mantine-color-green-text)" component="span" lh={1.55} size="sm" aria-hidden="true">
      <Icon name="check" size={16} />
    </Text>
    <Text size="sm" className={classes.file}>
      {t('Saved as {fileName} ({size}), in the folder that your browser uses for downloads.', {
        fileName,
        size: sizeOf(bytes),
      })}
    </Text>
  </Group>
);

/** Returns the size of a file, rounded up to kilobytes, or to tenths of a megabyte. */
const sizeOf = (bytes: number): string =>
  bytes < 1_000_000
    ? t('{size} kB', { size: formatCount(Math.ceil(bytes / 1_000)) })
    : t('{size} MB', { size: formatCount(Math.ceil(bytes / 100_000) / 10) });
