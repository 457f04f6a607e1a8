import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getAuditEntryOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { actorKindName } from './actor-kinds.ts';
import { Differences } from './differences.tsx';
import { Target } from './named-thing.tsx';

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
          [t('Of what'), <Target key="target" entry={data} isWhole />],
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
        <Differences entry={data} />
      )}
    </Stack>
  );
}
