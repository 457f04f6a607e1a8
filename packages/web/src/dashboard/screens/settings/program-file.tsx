import { Alert, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listEditsSinceFileOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { EditedSinceFile } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { fieldInWords } from '../../../ui/field-words.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { useGroupNames } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { valueInWords } from '../../value-words.ts';
import { kindInWords } from '../audit/action-words.ts';
import { actorName } from '../audit/actor-kinds.ts';
import { readTarget, type Thing } from '../audit/places.ts';
import { Section } from './section.tsx';

/** Section that exports the program file and lists edits that applying a file again would undo. */
export function ProgramFile() {
  const { publisherId, may } = usePublisher();
  const edits = useQuery(listEditsSinceFileOptions({ path: { publisherId } }));
  const command = `npx attribution program export --publisher ${publisherId} > ${publisherId}.yaml`;
  return (
    <Section
      title={t('Program file')}
      about={t(
        'Your groups, tiers, shares, schedules, bounties, creators, and key names as one YAML file to store, compare, or apply elsewhere.',
      )}
    >
      <Stack>
        {may('program') && (
          <Group>
            <DownloadButton
              path={`/admin/v1/publishers/${encodeURIComponent(publisherId)}/program-file`}
              label={t('Export program file')}
            />
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" c="dimmed">
                {t('or')} <Code>{command}</Code>
              </Text>
              <CopyButton value={command} label={t('Copy command')} />
            </Group>
          </Group>
        )}
        {edits.error !== null && (
          <ErrorNotice
            error={edits.error}
            title={t('Couldn’t load the changes')}
            onRetry={() => void edits.refetch()}
          />
        )}
        {edits.data === undefined && edits.error === null && <LateSkeleton lines={2} />}
        {edits.data?.rows.length === 0 && (
          <Text size="sm">{t('The current settings match the applied program files.')}</Text>
        )}
        {edits.data !== undefined && edits.data.rows.length > 0 && <Edits rows={edits.data.rows} />}
      </Stack>
    </Section>
  );
}

function Edits({ rows }: { rows: readonly EditedSinceFile[] }) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" icon={<Icon name="alert" />} title={t('Applying a file again would undo edits')}>
        {t(
          '{count, plural, one {One item was} other {# items were}} edited after a program file set {count, plural, one {it} other {them}}. Applying that file again would restore its values. Export a new file and apply that one instead.',
          { count: rows.length },
        )}
      </Alert>
      <Scroller label={t('Edited since a file was applied')}>
        <Table miw={560} aria-label={t('Edited since a file was applied')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Item')}</Table.Th>
              <Table.Th>{t('In the file')}</Table.Th>
              <Table.Th>{t('Current')}</Table.Th>
              <Table.Th>{t('Edited')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Edit key={`${row.target} ${row.editedAt}`} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </Scroller>
    </Stack>
  );
}

function Edit({ row }: { row: EditedSinceFile }) {
  const { target, file, editedBy, editedAt, isRemoved, fields } = row;
  const groupName = useGroupNames();
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{nameOf(readTarget(target), groupName)}</Text>
        <Text size="xs" c="dimmed">
          {file}
        </Text>
      </Table.Td>
      <Table.Td>
        {isRemoved
          ? t('Exists')
          : fields.map(({ name, file: value }) => <FieldValue key={name} name={name} value={value} />)}
      </Table.Td>
      <Table.Td>
        {isRemoved
          ? t('Deleted')
          : fields.map(({ name, now }) => <FieldValue key={name} name={name} value={now} />)}
      </Table.Td>
      <Table.Td>
        <Text size="sm">
          <When at={editedAt} />
        </Text>
        <Text size="xs" c="dimmed">
          {actorName(editedBy)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** Name of an item, such as "Group: MOBA". Only groups' names are loaded; other items have their id. */
function nameOf({ kind, id }: Thing, groupName: (groupId: string) => string): string {
  if (id === '') return kindInWords(kind);
  return `${kindInWords(kind)}: ${kind === 'group' ? groupName(id) : id}`;
}

const FieldValue = ({ name, value }: { name: string; value: unknown }) => (
  <Text size="sm">
    {fieldInWords(name)}: {valueInWords(name, value) ?? <Code>{JSON.stringify(value)}</Code>}
  </Text>
);
