import { Code, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getAuditEntryOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { actorKindName } from './actor-kinds.ts';
import classes from './entry-detail.module.css';

/** One change: who, when, from where, and what is different since. */
export function EntryDetail({ auditId }: { auditId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getAuditEntryOptions({ path: { publisherId, auditId } }));
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LateSkeleton />;
  const { actor, before, after } = data;
  return (
    <Stack>
      <Facts
        facts={[
          [t('Action'), <Code key="action">{data.action}</Code>],
          [
            t('Of what'),
            <>
              {data.target} <CopyButton value={data.target} label={t('Copy what was changed')} />
            </>,
          ],
          [t('When'), <When key="when" at={data.at} precision="second" />],
          [t('Who'), `${actor.name} (${actorKindName(actor.kind)})`],
          [t('Their id'), <Code key="id">{actor.id}</Code>],
          [t('From where'), actor.address ?? unknown],
          [t('Request'), actor.requestId === undefined ? unknown : <Code key="r">{actor.requestId}</Code>],
          [t('Command'), actor.command === undefined ? unknown : <Code key="c">{actor.command}</Code>],
          [t('Why'), data.reason ?? unknown],
        ]}
      />
      {before === null && after === null ? (
        <Text c="dimmed">{t('The action says it all: nothing else is kept of it.')}</Text>
      ) : (
        <Differences before={before ?? {}} after={after ?? {}} />
      )}
    </Stack>
  );
}

interface DifferencesProps {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

function Differences({ before, after }: DifferencesProps) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <Table aria-label={t('What is different')} layout="fixed" className={classes.differences}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('What')}</Table.Th>
          <Table.Th scope="col">{t('Before')}</Table.Th>
          <Table.Th scope="col">{t('After')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {names.map((name) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={500}>
              {name}
            </Table.Th>
            <Table.Td>{written(before[name])}</Table.Td>
            <Table.Td>{written(after[name])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const written = (value: unknown): string =>
  value === undefined || value === null
    ? unknown
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 1);
