import { Alert, Text } from '@mantine/core';
import type { Provenance as Known } from '../client/types.gen.ts';
import { Icon } from './icons.tsx';
import { usePreferences } from './preferences.ts';
import { t } from './text.ts';
import { formatWhen, When } from './when.tsx';

/** Actor and date of the last change. */
export function Provenance({ of }: { of: Known | null }) {
  if (of === null) return <Text size="sm">–</Text>;
  const { name, file, at } = of.last;
  return (
    <Text size="sm" component="span">
      {file === null ? name : t('Program file {file}', { file })} · <When at={at} precision="day" />
    </Text>
  );
}

/** Warns that applying a program file again would undo edits made here. */
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
    <Alert color="accent" icon={<Icon name="info" />} title={t('Set by a program file')}>
      {isLast
        ? t(
            'The file {file} set this when {who} applied it on {when}. Applying it again would undo your edit, so change the file, too.',
            values,
          )
        : t(
            'The file {file} set this on {when}, and it has been edited since. Applying the file again would undo the edits, so change the file, too.',
            values,
          )}
    </Alert>
  );
}
