import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { drawStatement, exportStatement, getStatement } from '../../../client/portal/sdk.gen.ts';
import type { MonthlyStatement } from '../../../client/portal/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { asBlob, saveFile } from '../../../ui/save-file.ts';
import { t } from '../../../ui/text.ts';
import { Failing } from '../../failing.tsx';
import { monthName } from '../../month-name.ts';
import { usePublisher } from '../../publisher.ts';
import classes from './statements.module.css';

const files = [
  { kind: 'pdf', name: 'PDF', read: drawStatement },
  { kind: 'csv', name: 'CSV', read: exportStatement },
  { kind: 'json', name: 'JSON', read: getStatement },
] as const;

/** Buttons that download a statement. They aren't links, because a request may fail. */
export function Downloads({ statement }: { statement: MonthlyStatement }) {
  const { publisherId } = usePublisher();
  const { statementId, month, groupId, groupName, currency } = statement;
  const download = useMutation({
    mutationFn: async ({ kind, read }: (typeof files)[number]) => {
      const { data } = await read({ path: { statementId }, query: { publisher: publisherId }, ...asBlob });
      const name = `statement-${publisherId}-${groupId}-${month}-${currency}`.replaceAll(/[^\w.-]+/g, '-');
      saveFile(data as unknown as Blob, `${name}.${kind}`);
    },
    gcTime: 0,
  });
  return (
    <>
      <div className={classes.downloads}>
        {files.map((file) => (
          <Button
            key={file.kind}
            size="md"
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            loading={download.isPending && download.variables.kind === file.kind}
            aria-label={t('{file}: {month}, {group}, {currency}', {
              file: file.name,
              month: monthName(month),
              group: groupName,
              currency,
            })}
            onClick={() => download.mutate(file)}
          >
            {file.name}
          </Button>
        ))}
      </div>
      {download.error !== null && <Failing error={download.error} title={t('Couldn’t download the file')} />}
    </>
  );
}
