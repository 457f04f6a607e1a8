import { Button } from '@mantine/core';
import { Icon } from './icons.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';

interface DownloadButtonProps {
  /** Admin API path that streams the file. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  label?: string;
  /** True for the screen's main action. */
  isMain?: boolean;
  size?: 'xs';
  /** Called when the download starts. */
  onSaved?: () => void;
}

export function DownloadButton({
  path,
  query = {},
  label = t('Export CSV'),
  isMain = false,
  size,
  onSaved,
}: DownloadButtonProps) {
  return (
    <Button
      component="a"
      href={`${path}${stringifyQuery(query)}`}
      download
      onClick={onSaved}
      variant={isMain ? 'filled' : 'default'}
      {...(size && { size })}
      leftSection={<Icon name="download" size={16} />}
    >
      {label}
    </Button>
  );
}
