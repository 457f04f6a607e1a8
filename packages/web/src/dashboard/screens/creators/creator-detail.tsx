import { Anchor, Button, Group, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { getCreatorOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Creator } from '../../../client/types.gen.ts';
import { DrawerActions } from '../../../ui/detail-drawer.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { Monogram } from '../../../ui/monogram.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { When } from '../../../ui/when.tsx';
import { FigureLink } from '../../figure-link.tsx';
import { purchasesOf } from '../../purchases-of.ts';
import { usePublisher } from '../../session/session.ts';
import { AuthCode } from './auth-code.tsx';
import { ChangeDialog, type Kind } from './change-dialog.tsx';
import { Codes } from './codes.tsx';
import { CreatorApplication } from './creator-application.tsx';
import { CreatorFacts } from './creator-facts.tsx';
import { CreatorGates } from './creator-gates.tsx';
import { CreatorHolds } from './creator-holds.tsx';
import { CreatorPayees } from './creator-payees.tsx';
import { CreatorPortal } from './creator-portal.tsx';
import { CreatorStatements } from './creator-statements.tsx';
import { CreatorWaiting } from './creator-waiting.tsx';
import { EditForm } from './edit-form.tsx';
import { Notes } from './notes.tsx';
import { Part } from './part.tsx';
import type { ShownOutcome } from './shown-outcome.ts';
import { Standing } from './standing.tsx';
import { keyOf, readKey } from './use-creators.ts';

export function CreatorDetail({ openKey }: { openKey: string }) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { groupId = query.group, memberId } = readKey(openKey);
  const answer = useQuery(
    getCreatorOptions({
      path: { publisherId, memberId },
      query: { ...(groupId !== undefined && { group: groupId }) },
    }),
  );
  if (answer.data === undefined)
    return answer.error === null ? (
      <FactsSkeleton facts={8} />
    ) : (
      <ErrorNotice
        error={answer.error}
        title={t('Couldn’t load the creator')}
        missing={t('Creator not found')}
        onRetry={() => void answer.refetch()}
      />
    );
  return (
    <Stack gap="lg">
      {answer.error !== null && (
        <ErrorNotice
          error={answer.error}
          title={t('Couldn’t reload. This may be out of date')}
          onRetry={() => void answer.refetch()}
        />
      )}
      <Detail key={keyOf(answer.data)} creator={answer.data} />
    </Stack>
  );
}

/** Parts of a creator. Money comes first, except for an applicant, about whom the application decides. */
function Detail({ creator }: { creator: Creator }) {
  const isApplicant = creator.status === 'Pending';
  return (
    <>
      <Head creator={creator} />
      {isApplicant && <CreatorApplication creator={creator} />}
      <Part title={t('Money')}>
        <Earnings creator={creator} />
      </Part>
      <CreatorWaiting creator={creator} />
      <Part title={t('Details')}>
        <CreatorFacts creator={creator} />
      </Part>
      <Part title={t('Notes')}>
        <Notes creator={creator} />
      </Part>
      <Part title={t('Codes')}>
        <Codes creator={creator} />
      </Part>
      <CreatorHolds creator={creator} />
      <CreatorGates creator={creator} />
      <CreatorPayees creator={creator} />
      <CreatorStatements creator={creator} />
      {creator.bounties.length > 0 && (
        <Part title={t('Bounties')}>
          <Bounties bounties={creator.bounties} />
        </Part>
      )}
      <CreatorPortal creator={creator} />
      {!isApplicant && <CreatorApplication creator={creator} />}
      <Part title={t('Auth code')}>
        <AuthCode creator={creator} />
      </Part>
      {creator.claims.length > 0 && (
        <Part title={t('Merged from')}>
          <Claims claims={creator.claims} />
        </Part>
      )}
    </>
  );
}

function Head({ creator }: { creator: Creator }) {
  const { may } = usePublisher();
  const [isEditing, setEditing] = useState(false);
  const [kind, setKind] = useState<Kind | null>(null);
  const [refused, setRefused] = useState<readonly ShownOutcome[]>([]);
  const { memberId, groupId, groupName, name, status, tier } = creator;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <Group gap="sm" wrap="nowrap">
          <Monogram name={name} id={memberId} size={36} />
          <div>
            <Group gap="0 0.5rem">
              <Title order={2} size="h3">
                {name}
              </Title>
              <Standing status={status} />
            </Group>
            <Text size="sm" c="dimmed">
              {[groupName, tier?.name ?? t('Group share')].join(' · ')}
            </Text>
          </div>
        </Group>
        <DrawerActions>
          {may('approve') && status !== 'Approved' && (
            <Button onClick={() => setKind('approve')}>{t('Approve')}</Button>
          )}
          {may('members') && (
            <Button
              variant="default"
              leftSection={<Icon name="edit" size={14} />}
              onClick={() => setEditing(true)}
            >
              {t('Edit')}
            </Button>
          )}
          {may('members') && status !== 'Removed' && (
            <Button variant="default" onClick={() => setKind('remove')}>
              {t('Remove…')}
            </Button>
          )}
        </DrawerActions>
      </Group>
      {refused.map(({ message }) => (
        <ErrorNotice
          key={message}
          error={new Error(message ?? '')}
          title={t('Couldn’t change the creator')}
        />
      ))}
      {isEditing && <EditForm creator={creator} onClose={() => setEditing(false)} />}
      <ChangeDialog
        kind={kind}
        chosen={{ members: [{ memberId, groupId, name }], groupId }}
        onClose={() => setKind(null)}
        onDone={(_kind, outcomes) => setRefused(outcomes.filter(({ outcome }) => outcome === 'refused'))}
      />
    </Stack>
  );
}

function Earnings({ creator: { money, memberId, groupId, bounties } }: { creator: Creator }) {
  const { publisherId, nowMs } = usePublisher();
  const from = new Date(nowMs() - 29 * 86_400_000).toISOString().slice(0, 10);
  /** Returns the filters for the purchases of the last 30 UTC days in a currency. */
  const purchasesIn = ({ currency, purchases }: Creator['money'][number]) =>
    purchases === 0
      ? null
      : purchasesOf({
          group: groupId,
          creator: memberId,
          status: 'normal',
          from,
          currency,
          isOnlyCurrency: money.every((each) => each.currency === currency || each.purchases === 0),
        });
  return (
    <Stack gap="xs">
      {money.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('Nothing earned yet.')}
        </Text>
      ) : (
        <Table aria-label={t('Money by currency')} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="end">{t('Balance')}</Table.Th>
              <Table.Th ta="end">
                {bounties.length > 0
                  ? t('Earned from purchases, last 30 days (UTC)')
                  : t('Earned, last 30 days (UTC)')}
              </Table.Th>
              <Table.Th ta="end" visibleFrom="xs">
                {t('Sales')}
              </Table.Th>
              <Table.Th ta="end">{t('Purchases')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {money.map((sums) => (
              <Table.Tr key={sums.currency}>
                <Table.Td ta="end">
                  <Money minor={sums.balanceMinor} currency={sums.currency} isSigned />
                </Table.Td>
                <Table.Td ta="end">
                  <FigureLink screen="transactions" query={purchasesIn(sums)}>
                    <Money minor={sums.shareMinor} currency={sums.currency} isSigned />
                  </FigureLink>
                </Table.Td>
                <Table.Td ta="end" visibleFrom="xs">
                  <FigureLink screen="transactions" query={purchasesIn(sums)}>
                    <Money minor={sums.grossMinor} currency={sums.currency} isSigned />
                  </FigureLink>
                </Table.Td>
                <Table.Td ta="end">
                  <FigureLink screen="transactions" query={purchasesIn(sums)}>
                    {sums.purchases}
                  </FigureLink>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Text size="sm" c="dimmed">
        {t('New purchases are added within seconds.')}{' '}
        <Anchor
          underline="always"
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/p/$publisherId/transactions"
              params={{ publisherId } as never}
              search={{ group: groupId, creator: memberId } as never}
            />
          )}
        >
          {t('Purchases credited to this creator')}
        </Anchor>
      </Text>
    </Stack>
  );
}

/** Formats an objective's value: an amount in minor units, or a count. */
const formatValue = (
  { condition, currency }: { condition: string; currency: string | null },
  value: number,
): string =>
  condition === 'Amount' && currency !== null ? formatMoney(String(value), currency) : formatCount(value);

const Bounties = ({ bounties }: { bounties: Creator['bounties'] }) => (
  <Stack gap="sm">
    {bounties.map(({ name, objectives, completionCount, isCompleted }) => (
      <Stack key={name} gap={4}>
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {isCompleted
              ? t('completed')
              : t(
                  '{completionCount, plural, =0 {not completed} one {completed once} other {completed # times}}',
                  { completionCount },
                )}
          </Text>
        </Group>
        {objectives.map((objective) => (
          <div key={objective.name}>
            <Group justify="space-between">
              <Text size="sm">{objective.name}</Text>
              <Text size="sm">
                {t('{count} of {target}', {
                  count: formatValue(objective, objective.count),
                  target: formatValue(objective, objective.target),
                })}
              </Text>
            </Group>
            <Progress
              value={objective.target === 0 ? 100 : (100 * objective.count) / objective.target}
              aria-label={objective.name}
            />
          </div>
        ))}
      </Stack>
    ))}
  </Stack>
);

const Claims = ({ claims }: { claims: Creator['claims'] }) => (
  <Table aria-label={t('Merged from')}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Creator')}</Table.Th>
        <Table.Th>{t('Account')}</Table.Th>
        <Table.Th>{t('Claimed')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {claims.map(({ memberId, name, claimedAt }) => (
        <Table.Tr key={memberId}>
          <Table.Td>{name}</Table.Td>
          <Table.Td>{memberId}</Table.Td>
          <Table.Td>
            <When at={claimedAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
