import { Code, Stack, Table, Text, Title } from '@mantine/core';
import type { ApiKey } from '../../../client/types.gen.ts';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';

const maxShown = 10;

/** Lists property and parameter names that operations ignored. A misspelled name can change amounts. */
export function IgnoredNames({ keys }: { keys: readonly ApiKey[] }) {
  const rows = keys
    .flatMap((key) => key.ignored.map((each) => ({ ...each, keyId: key.keyId, keyName: key.name })))
    .sort((one, other) => (one.lastAt < other.lastAt ? 1 : -1))
    .slice(0, maxShown);
  if (rows.length === 0) return null;
  return (
    <Stack gap="xs" mt="xl">
      <Title order={2} size="h4">
        {t('Ignored fields')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(
          'Requests included these fields, but the API doesn’t recognize them. Check the spelling. Strict keys reject such requests.',
        )}
      </Text>
      <Table aria-label={t('Ignored fields')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Name')}</Table.Th>
            <Table.Th>{t('Key')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('Operation')}</Table.Th>
            <Table.Th ta="end">{t('Requests')}</Table.Th>
            <Table.Th ta="end" visibleFrom="xs">
              {t('Last sent')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ keyId, keyName, operation, name, times, lastAt }) => (
            <Table.Tr key={`${keyId} ${operation} ${name}`}>
              <Table.Td>
                <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{keyName}</Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Text size="sm">{operation}</Text>
              </Table.Td>
              <Table.Td ta="end">{formatCount(times)}</Table.Td>
              <Table.Td ta="end" visibleFrom="xs">
                <When at={lastAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
