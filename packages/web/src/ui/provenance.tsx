import { Alert, Text } from '@mantine/core';
import type { Provenance as Known } from '../client/types.gen.ts';
import { Icon } from './icons.tsx';
import { usePreferences } from './preferences.ts';
import { t } from './text.ts';
import { formatWhen } from './when.tsx';

/** Who changed something last, and when. */
export function Provenance({ of }: { of: Known | null }) {
  const { zone } = usePreferences();
  if (of === null) return <Text size="sm">–</Text>;
  const { name, file, at } = of.last;
  return (
    <Text size="sm" component="span">
      {file === null ? name : t('file {file}', { file })} · {formatWhen(at, zone, 'day')}
    </Text>
  );
}

/** Said where something is edited that a program file has written: applied again, the file takes the edit back. */
export function FileWarning({ of }: { of: Known | null }) {
  const { zone } = usePreferences();
  if (of?.file == null) return null;
  const values = {
    file: of.file.file ?? '',
    who: of.file.name,
    when: formatWhen(of.file.at, zone, 'minute'),
  };
  const isLast = of.last.file !== null;
  return (
    <Alert color="yellow" icon={<Icon name="info" />} title={t('A program file writes this')}>
      {isLast
        ? t(
            'The file {file} wrote it, applied by {who} on {when}. Applied again, it would undo your edit: change the file too.',
            values,
          )
        : t(
            'The file {file} wrote it on {when}, and it was edited since. Applied again, the file would undo all edits: change it too.',
            values,
          )}
    </Alert>
  );
}
