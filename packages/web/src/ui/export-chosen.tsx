import { DownloadButton } from './download-button.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { t } from './text.ts';

/** Maximum number of rows, as on the server. */
const maxChosen = 200;

interface ExportChosenProps {
  /** Admin API path that streams the file. */
  path: string;
  ids: readonly string[];
  /** Parameters that determine the order of the rows. */
  query?: Readonly<Record<string, string | undefined>>;
}

/** Bar that exports the selected rows of a list. */
export function ExportChosen({ path, ids, query = {} }: ExportChosenProps) {
  if (ids.length === 0) return null;
  return (
    <SelectionBar
      label={t('Selected rows')}
      count={
        ids.length > maxChosen
          ? t('{count} rows selected. At most {max} can be exported at once.', {
              count: ids.length,
              max: maxChosen,
            })
          : t('{count, plural, one {# row} other {# rows}} selected', { count: ids.length })
      }
      mainAction={
        ids.length <= maxChosen && (
          <DownloadButton path={path} query={{ ...query, ids: ids.join(',') }} label={t('Export selected')} />
        )
      }
    />
  );
}
