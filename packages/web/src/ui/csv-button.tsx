import { Button } from '@mantine/core';
import { Icon } from './icons.tsx';
import { stringifyQuery } from './query-string.ts';
import { t } from './text.ts';

interface CsvButtonProps {
  /** Of the admin API. The file comes as a stream, however many rows it has. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  label?: string;
}

/** Downloads a file that the service streams. */
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
