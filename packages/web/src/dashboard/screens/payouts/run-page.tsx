import { Alert, Button, Group, Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getPayRunOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { MarkedPayout, Payout, PayRunLine, PayRunWithLines } from '../../../client/types.gen.ts';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { NotMarked, PayManyDialog } from './pay-many-dialog.tsx';
import { Fact } from './payout-facts.tsx';
import { PayoutLink } from './payout-link.tsx';
import { PayoutStatus } from './payout-status.tsx';
import classes from './payouts.module.css';
import { Reductions } from './reductions.tsx';
import { Failures } from './run-failures.tsx';
import { totalsByCurrency } from './use-run-preview.ts';

/** Pay run with its payouts, the payouts that couldn't be created, and the amounts still to be paid. */
export function RunPage({ payRunId }: { payRunId: string }) {
  const { publisherId } = usePublisher();
  const [marked, setMarked] = useState<readonly MarkedPayout[]>([]);
  const asked = useQuery({
    ...getPayRunOptions({ path: { publisherId, payRunId } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? 1_000 : false),
  });
  const { data, error } = asked;
  const title = t('Pay run');
  if (data === undefined)
    return (
      <ScreenPage isOfOneThing title={title} about={<Back />}>
        {error === null ? (
          <FactsSkeleton />
        ) : (
          <ErrorNotice
            error={error}
            title={t('Couldn’t load the pay run')}
            missing={t('Pay run not found')}
            onRetry={() => void asked.refetch()}
          />
        )}
      </ScreenPage>
    );
  const { run, lines, reductions } = data;
  return (
    <ScreenPage
      isOfOneThing
      title={title}
      about={<Back />}
      actions={<Actions found={data} onMarked={setMarked} />}
    >
      <Stack gap="lg">
        {!run.isDone && <UnderWay found={data} />}
        <NotMarked marked={marked} onClose={() => setMarked([])} />
        <Failures found={data} />
        {lines.some(({ needsAnother }) => needsAnother) && (
          <Alert color="accent" title={t('A second person must mark these payouts as paid')}>
            {t(
              'You created these payouts, and a second person is required. Send a colleague the link to this page.',
            )}
          </Alert>
        )}
        <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, sm: 3, lg: 4 }} spacing="md">
          <Fact name={t('Payouts')}>{formatCount(lines.length)}</Fact>
          <Fact name={t('Cutoff')}>
            <When at={run.asOf} precision="second" />
          </Fact>
          <Fact name={t('Started')}>
            <When at={run.startedAt} /> {t('by {name}', { name: run.startedBy.name })}
          </Fact>
        </SimpleGrid>
        <Totals lines={lines} />
        <Lines lines={lines} />
        <Reductions rows={reductions.members} hasMore={reductions.count > reductions.members.length} />
      </Stack>
    </ScreenPage>
  );
}

const Back = () => <PayoutLink to="runs">{t('All pay runs')}</PayoutLink>;

const isUnderWay = ({ run, lines }: PayRunWithLines): boolean =>
  !run.isDone || lines.some(({ payout }) => payout?.status === 'Cancelling');

interface ActionsProps {
  found: PayRunWithLines;
  onMarked(marked: readonly MarkedPayout[]): void;
}

function Actions({ found: { run, lines }, onMarked }: ActionsProps) {
  const { publisherId, may } = usePublisher();
  const [isPaying, setPaying] = useState(false);
  const [hasSaved, setSaved] = useState(false);
  const created = lines.filter(({ payout }) => payout?.status === 'Created');
  const payable = created.flatMap(({ payout, needsAnother }) =>
    payout !== null && !needsAnother ? payout : [],
  );
  const hasFile = lines.some(({ payout }) => payout?.status === 'Created' || payout?.status === 'Paid');
  const isToSave =
    may('export') &&
    !hasSaved &&
    lines.some(({ payout, isExported }) => payout?.status === 'Created' && !isExported);
  return (
    <>
      {may('export') && run.isDone && hasFile && (
        <DownloadButton
          isMain={isToSave}
          label={t('Export CSV for the bank')}
          onSaved={() => setSaved(true)}
          path={`/admin/v1/publishers/${encodeURIComponent(publisherId)}/pay-runs/${run.payRunId}/items.csv`}
        />
      )}
      {may('payouts') && created.length > 0 && (
        <Button
          variant={isToSave ? 'default' : 'filled'}
          disabled={payable.length === 0 || !run.isDone}
          title={
            payable.length === 0
              ? t('You created these payouts, so a second person must mark them as paid')
              : undefined
          }
          onClick={() => setPaying(true)}
        >
          {t('Mark as paid')}
        </Button>
      )}
      <PayManyDialog opened={isPaying} onClose={() => setPaying(false)} payouts={payable} onDone={onMarked} />
    </>
  );
}

function UnderWay({ found: { run, lines } }: { found: PayRunWithLines }) {
  const done = lines.length - run.counts.waiting;
  return (
    <Alert color="accent" title={t('Creating payouts')}>
      <Group gap="sm">
        <Progress value={(100 * done) / lines.length} flex={1} aria-label={t('Pay run progress')} />
        <Text size="sm">
          {t('{done} of {all} payouts', { done: formatCount(done), all: formatCount(lines.length) })}
        </Text>
      </Group>
      <Text size="sm">{t('It continues in the background. You can leave this page.')}</Text>
    </Alert>
  );
}

/** Totals by currency: to be paid, paid, and not created. */
function Totals({ lines }: { lines: readonly PayRunLine[] }) {
  const payoutsIn = (...statuses: Payout['status'][]) =>
    lines.flatMap(({ payout }) => (payout !== null && statuses.includes(payout.status) ? payout : []));
  const waiting = lines.filter(({ payout }) => payout === null);
  const parts = [
    [t('To be paid'), totalsByCurrency(payoutsIn('Created'))],
    [t('Paid'), totalsByCurrency(payoutsIn('Paid'))],
    [t('Canceled'), totalsByCurrency(payoutsIn('Cancelling', 'Cancelled'))],
    [t('Not created'), totalsByCurrency(waiting)],
  ] as const;
  const shown = parts.filter(([, totals], index) => index === 0 || totals.length > 0);
  return (
    <Scroller label={t('Totals by currency')}>
      <Table aria-label={t('Totals by currency')} className={classes.sums}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Currency')}</Table.Th>
            {shown.map(([name]) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totalsByCurrency(lines).map(({ currency }) => (
            <Table.Tr key={currency}>
              <Table.Th scope="row">{currency}</Table.Th>
              {shown.map(([name, totals]) => {
                const total = totals.find((each) => each.currency === currency)?.totalMinor ?? '0';
                return (
                  <Table.Td key={name}>
                    <Money minor={total} currency={currency} />
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

function Lines({ lines }: { lines: readonly PayRunLine[] }) {
  return (
    <Scroller label={t('Payouts of this run')}>
      <Table aria-label={t('Payouts of this run')} className={classes.lines}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Group')}</Table.Th>
            <Table.Th scope="col">{t('Status')}</Table.Th>
            <Table.Th scope="col" visibleFrom="sm" ta="end">
              {t('Creators')}
            </Table.Th>
            <Table.Th scope="col">{t('Total')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ groupId, currency, totalMinor, payout, failure }) => (
            <Table.Tr key={`${groupId} ${currency}`}>
              <Table.Th scope="row" fw={400}>
                <GroupName groupId={groupId} />
              </Table.Th>
              <Table.Td>
                {payout !== null ? (
                  <PayoutStatus status={payout.status} />
                ) : failure !== null ? (
                  <StatusBadge tone="bad">{t('Not created')}</StatusBadge>
                ) : (
                  <StatusBadge tone="running">{t('Waiting')}</StatusBadge>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm" ta="end">
                {payout === null ? '–' : formatCount(payout.memberCount)}
              </Table.Td>
              <Table.Td>
                {payout === null ? (
                  <Money minor={totalMinor} currency={currency} />
                ) : (
                  <PayoutLink to={payout.payoutId}>
                    <Money minor={payout.totalMinor} currency={currency} />
                  </PayoutLink>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}
