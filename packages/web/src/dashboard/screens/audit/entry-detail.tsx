import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getAuditEntryOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { unknown } from '../../../ui/money.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { actionInWords } from './action-words.ts';
import { actorKindName, actorName } from './actor-kinds.ts';
import { Differences } from './differences.tsx';
import { Target } from './named-thing.tsx';

export function EntryDetail({ auditId }: { auditId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getAuditEntryOptions({ path: { publisherId, auditId } }));
  if (error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the change')}
        missing={t('Change not found')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <FactsSkeleton />;
  const { actor, before, after } = data;
  return (
    <Stack>
      <Facts
        facts={[
          [
            t('Action'),
            <span key="action">
              {actionInWords(data.action)} <Code>{data.action}</Code>{' '}
              <ScreenLink screen="audit" query={{ action: data.action }}>
                {t('List this action')}
              </ScreenLink>
            </span>,
          ],
          [t('Target'), <Target key="target" entry={data} withCopyButton />],
          [t('Time'), <When key="when" at={data.at} precision="second" />],
          [
            t('Actor'),
            actor.kind === 'service' ? actorName(actor) : `${actor.name} (${actorKindName(actor.kind)})`,
          ],
          [t('Actor ID'), <Code key="id">{actor.id}</Code>],
          [t('IP address'), actor.address ?? unknown],
          [t('Request ID'), actor.requestId === undefined ? unknown : <Code key="r">{actor.requestId}</Code>],
          [t('Command'), actor.command === undefined ? unknown : <Code key="c">{actor.command}</Code>],
          [t('Reason'), data.reason ?? unknown],
        ]}
      />
      {before === null && after === null ? (
        <Text c="dimmed">{t('This action has no further details.')}</Text>
      ) : (
        <Differences entry={data} />
      )}
    </Stack>
  );
}
