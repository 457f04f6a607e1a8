import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { previewPayoutOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { PayoutPreview, PreviewRow, PreviewTotals } from '../../../client/types.gen.ts';
import { codeOf } from '../../../ui/api-failure.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorText } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { usePage } from '../../../ui/use-page.ts';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { usePreviewSeen } from '../../sandbox/use-preview-seen.ts';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { createLabel } from './create-label.ts';
import { CutoffRow } from './cutoff-row.tsx';
import { DueCautions } from './due-cautions.tsx';
import { dueColumns } from './due-columns.tsx';
import { DueStates, readDueState } from './due-states.tsx';
import { DueTotals, waitingIn } from './due-totals.tsx';
import { PartsPage } from './parts-page.tsx';
import { PayPreview } from './pay-preview.tsx';
import { PlannedFor } from './planned-for.tsx';

/** Preview of a payout. The cutoff is in the URL so that a reload shows the same amounts. */
export function DueView() {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const [isConfirming, setConfirming] = useState(false);
  const page = usePreview();
  const preview = page.data;
  const columns = useMemo(() => dueColumns(preview?.groupId), [preview?.groupId]);
  const { data: groups } = useQuery(groupsOptions(publisherId));
  const ofGroup = query.group ?? preview?.groupId;
  const groupName = groups?.find(({ groupId }) => groupId === ofGroup)?.name ?? ofGroup;
  useLinkedAction('create', () => setConfirming(true));
  usePreviewSeen(preview?.asOf);
  const isWithoutMethod = query.method === 'none';
  // Without any amounts, the filters aren't the reason for an empty list.
  const isFiltered =
    preview !== undefined && preview.totals.length > 0 && (isWithoutMethod || query.state !== undefined);
  const due = preview?.totals.filter(({ due }) => due.memberCount > 0) ?? [];
  const previewAgain = (): void => setQuery({ asOf: null, cursor: null });
  return (
    <PartsPage
      here=""
      about={
        groupName === undefined
          ? t('Creators with amounts due, and why others are waiting.')
          : t('Creators in {name} with amounts due, and why others are waiting.', { name: groupName })
      }
      tools={<ViewsMenu list="due" />}
      mainAction={
        <>
          <CurrencyChoice totals={preview?.totals ?? []} />
          {may('payouts') && preview !== undefined && due.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('No creator is due a payout')}
            </Text>
          )}
          {may('payouts') && (
            <Button
              onClick={() => setConfirming(true)}
              disabled={due.length === 0 || preview === undefined || page.error !== null}
            >
              {createLabel(due.length)}
            </Button>
          )}
        </>
      }
    >
      {groups?.length === 0 ? (
        <Suspense>
          <BeforeMoney icon="payouts" title={t('No creator groups yet')}>
            {t('Payouts are created per group.')}
          </BeforeMoney>
        </Suspense>
      ) : page.error !== null && codeOf(page.error) === 'Conflict' ? (
        <ExpiredPreview error={page.error} onAgain={previewAgain} />
      ) : (
        <Stack gap="sm">
          {preview !== undefined && (
            <>
              <CutoffRow asOf={preview.asOf} onRefresh={previewAgain}>
                <PlannedFor day={preview.plannedFor} />
              </CutoffRow>
              <DueTotals totals={preview.totals} place={{ group: query.group, asOf: preview.asOf }} />
              <DueCautions
                previews={[{ ...preview, name: groupName ?? preview.groupId }]}
                totals={preview.totals}
                asOf={preview.asOf}
              />
              {isWithoutMethod && (
                <Group gap="xs">
                  <Text size="sm" fw={600}>
                    {t('Only creators without a payout method are listed.')}
                  </Text>
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => setQuery({ method: null, cursor: null })}
                  >
                    {t('List all creators')}
                  </Button>
                </Group>
              )}
              <DueStates hasBlocked={waitingIn(preview.totals).includes('blocked')} />
            </>
          )}
          <DataTable
            label={t('Creators in this payout')}
            list="due"
            columns={columns}
            page={page}
            rowKey={({ memberId, currency }) => `${memberId} ${currency}`}
            sections={
              preview === undefined || preview.totals.length < 2 ? undefined : sectionsOf(preview.totals)
            }
            empty={
              isFiltered ? (
                <EmptyState
                  icon="payouts"
                  title={t('No matching creators')}
                  action={<ClearFilters names={['state', 'method', 'cursor']} />}
                >
                  {t('Clear the filters to list all creators.')}
                </EmptyState>
              ) : (
                <Suspense>
                  <BeforeMoney icon="payouts" title={t('No amounts due')} isAboutDue>
                    {t(
                      'Purchases appear seconds after they are recorded. Their amounts become due when their hold period ends.',
                    )}
                  </BeforeMoney>
                </Suspense>
              )
            }
          />
        </Stack>
      )}
      <PayPreview
        isConfirming={isConfirming && due.length > 0}
        onConfirm={setConfirming}
        preview={preview}
        due={due}
        onAgain={previewAgain}
      />
    </PartsPage>
  );
}

/** Headings of the list: each currency with the sum that is due in it, on all pages. */
const sectionsOf = (totals: readonly PreviewTotals[]) => ({
  key: ({ currency }: PreviewRow) => currency,
  head: (key: string) => {
    const due = totals.find(({ currency }) => currency === key)?.due;
    return due === undefined || due.memberCount === 0
      ? t('{currency}: no amounts due', { currency: key })
      : t('{currency}: {amount} due to {count, plural, one {# creator} other {# creators}}', {
          currency: key,
          amount: formatMoney(due.totalMinor, key),
          count: due.memberCount,
        });
  },
});

/** Loads the preview once, then puts its cutoff into the URL and caches the response under that URL. */
function usePreview() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const queryClient = useQueryClient();
  const optionsAt = (asOf: string | undefined) =>
    previewPayoutOptions({
      path: { publisherId },
      query: {
        group: query.group,
        currency: query.currency,
        state: readDueState(query.state),
        withoutMethod: query.method === 'none' ? true : undefined,
        cursor: query.cursor,
        limit: limitOf(query),
        asOf,
      },
    });
  const page = usePage({ ...optionsAt(query.asOf), retry: false, staleTime: 300_000 });
  const { data, isPlaceholderData } = page;
  useEffect(() => {
    if (query.asOf !== undefined || data === undefined || isPlaceholderData) return;
    queryClient.setQueryData(optionsAt(data.asOf).queryKey as never, data as PayoutPreview as never);
    queryClient.removeQueries({ queryKey: optionsAt(undefined).queryKey, exact: true });
    setQuery({ asOf: data.asOf }, 'replace');
  });
  return page;
}

function CurrencyChoice({ totals }: { totals: readonly PreviewTotals[] }) {
  const { query, setQuery } = useUrlState();
  const known = totals.map(({ currency }) => currency);
  if (known.length < 2 && query.currency === undefined) return null;
  const all =
    query.currency === undefined || known.includes(query.currency) ? known : [query.currency, ...known];
  return (
    <NativeSelect
      aria-label={t('Currency')}
      value={query.currency ?? ''}
      data={[{ value: '', label: t('All currencies') }, ...all]}
      onChange={({ currentTarget: { value } }) => setQuery({ currency: value || null })}
    />
  );
}

/**
 * Notice that the URL's cutoff can no longer be previewed, because a payout was created or the terms changed.
 */
function ExpiredPreview({ error, onAgain }: { error: unknown; onAgain(): void }) {
  return (
    <Alert color="yellow" role="alert" icon={<Icon name="info" />} title={t('This preview has expired')}>
      <Stack gap="xs" align="flex-start">
        <ErrorText error={error} />
        <Button size="xs" variant="default" onClick={onAgain}>
          {t('Refresh preview')}
        </Button>
      </Stack>
    </Alert>
  );
}
