import { DownloadButton } from './download-button.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { t } from './text.ts';

/** Maximum number of rows with short ids, as on the server. */
const maxRows = 200;

interface ExportChosenProps {
  /** Admin API path that streams the file. */
  path: string;
  ids: readonly string[];
  /** Other parameters, such as the order of the rows. */
  query?: Readonly<Record<string, string | undefined>>;
  /** Maximum number of rows, as on the server. */
  max?: number;
  /** Sums of the selected rows, in words. */
  sums?: string | null;
}

/** Bar that exports the selected rows of a list. */
export function ExportChosen({ path, ids, query = {}, max = maxRows, sums }: ExportChosenProps) {
  if (ids.length === 0) return null;
  return (
    <SelectionBar
      label={t('Selected rows')}
      count={
        ids.length > max
          ? t('{count} rows selected. At most {max} can be exported at once.', {
              count: ids.length,
              max,
            })
          : t('{count, plural, one {# row} other {# rows}} selected', { count: ids.length })
      }
      note={sums}
      mainAction={
        ids.length <= max && (
          <DownloadButton path={path} query={{ ...query, ids: ids.join(',') }} label={t('Export selected')} />
        )
      }
    />
  );
}
