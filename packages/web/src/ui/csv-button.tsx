import { Button } from '@mantine/core';
import { Icon } from './icons.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';

interface CsvButtonProps {
  /** Admin API path that streams the file. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  label?: string;
}

export function CsvButton({ path, query = {}, label = t('Export CSV') }: CsvButtonProps) {
  return (
    <Button
      component="a"
      href={`${path}${stringifyQuery(query)}`}
      download
      variant="default"
      leftSection={<Icon name="download" size={16} />}
    >
      {label}
    </Button>
  );
}
