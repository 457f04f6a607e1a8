import { Box, Stack } from '@mantine/core';
import { keepPreviousData, type UseQueryResult, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { getOverviewOptions, listRollupsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { setPreference, usePreferences } from '../../../ui/preferences.ts';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { noteVisit } from '../../../ui/visits.ts';
import { useAttention } from '../../attention/use-attention.ts';
import { FirstStepsGate } from '../../first-steps/first-steps-gate.tsx';
import { NoPurchases } from '../../first-steps/lazy-no-purchases.ts';
import { useFirstSteps } from '../../first-steps/use-first-steps.ts';
import { usePublisher } from '../../session/session.ts';
import { AttentionList } from './attention-list.tsx';
import { CurrencyCard } from './currency-card.tsx';
import { describeBriefly, describePeriod } from './describe-period.ts';
import { LiveTail } from './live-tail.tsx';
import { LoadErrors } from './load-errors.tsx';
import { orderCurrencies } from './main-currency.ts';
import { OtherCurrencies } from './other-currencies.tsx';
import classes from './overview.module.css';
import { readComparison, readPeriod } from './period.ts';
import { CustomPeriod, PeriodChoice } from './period-choice.tsx';
import { RisingCreators } from './rising-creators.tsx';
import { SinceLastVisit, useSinceVisit } from './since-last-visit.tsx';
import { OverviewSkeleton } from './skeletons.tsx';
import { TopCreators } from './top-creators.tsx';

export function Screen() {
  const { publisherId, nowMs } = usePublisher();
  const { query, setQuery } = useUrlState();
  const now = nowMs();
  const { choice, ...period } = readPeriod(query, now);
  const comparison = readComparison(query.compare);
  const isNarrow = useNarrow();
  const isCompared = comparison !== 'none';
  const [isCustom, setCustom] = useState(false);
  const shownChoice = isCustom ? 'custom' : choice;
  const asked = { path: { publisherId }, query: { group: query.group, ...period } };
  const overview = useQuery({
    ...getOverviewOptions({
      ...asked,
      query: { ...asked.query, compare: comparison === 'year' ? 'year' : undefined },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  // The chart appears only after the currencies have loaded, so its data is prefetched in parallel.
  usePrefetchQuery(listRollupsOptions(asked));
  const { data } = overview;
  const attention = useAttention();
  const first = useFirstSteps();
  // The totals and the attention list are shown together. Otherwise, the later of the two would shift the
  // content below.
  const visitMs = useLastVisit(publisherId, nowMs, overview.dataUpdatedAt);
  const { since, isLoading: isLoadingSince } = useSinceVisit(visitMs);
  const isLoadingTop = isLoading(overview) || isLoading(attention) || isLoadingSince;
  const { currency: preferred } = usePreferences();
  const currencies = orderCurrencies(data?.currencies ?? [], [query.currency, preferred]);
  const card = useRef<HTMLElement>(null);
  const isChosen = useRef(false);
  const [isCommandShown, setCommandShown] = useState(false);
  const isUnused = first.data?.hasPurchases === false;
  // Until the first purchase, the list of first steps is the only start.
  const hasSteps = isUnused && first.data?.isWanted === true;
  const isEmpty = data?.currencies.length === 0;
  const choose = (currency: string): void => {
    isChosen.current = true;
    setPreference('currency', currency);
    setQuery({ currency });
  };
  const mainCurrency = currencies?.main.currency;
  const isOnlyCurrency = currencies?.others.every(({ now: sums }) => sums.rowCount === '0') ?? false;
  // The clicked row disappears once its currency is shown in full, so the focus moves to the card.
  useEffect(() => {
    if (isChosen.current && mainCurrency !== undefined) card.current?.focus();
    isChosen.current = false;
  }, [mainCurrency]);
  return (
    <ScreenPage
      title={t('Overview')}
      {...(!isUnused && {
        about: (
          <Awaited isKnown={!isLoading(first)}>
            {(isNarrow ? describeBriefly : describePeriod)(period, comparison, now)}
          </Awaited>
        ),
        tools: (
          <Awaited isKnown={!isLoading(first)}>
            <PeriodChoice
              choice={shownChoice}
              comparison={comparison}
              onCustom={() => setCustom(true)}
              onDays={() => setCustom(false)}
            />
          </Awaited>
        ),
      })}
    >
      {shownChoice === 'custom' && !isUnused && (
        <CustomPeriod
          key={`${period.from} ${period.until}`}
          period={period}
          now={now}
          onApplied={() => setCustom(false)}
        />
      )}
      <LoadErrors>
        <FirstStepsGate />
        {visitMs !== null && since !== null && !isLoadingTop && (
          <SinceLastVisit {...since} currency={mainCurrency} />
        )}
        {/* The attention list comes first. In a wide window, it is beside the totals. */}
        <Box
          className={classes.columns}
          data-awaited={isLoadingTop || undefined}
          data-unused={hasSteps || undefined}
        >
          {isLoadingTop && (
            <Box className={classes.awaited}>
              <OverviewSkeleton />
            </Box>
          )}
          <Box className={classes.attention}>
            <AttentionList
              isBrief={hasSteps}
              currencies={
                currencies === null
                  ? []
                  : [currencies.main, ...currencies.others].map(({ currency }) => currency)
              }
            />
          </Box>
          <Stack className={classes.sums}>
            {((isEmpty && first.isSuccess && !hasSteps) || isCommandShown) && (
              <Suspense>
                <NoPurchases hasPurchases={!isUnused && !isCommandShown} onCommand={setCommandShown} />
              </Suspense>
            )}
            {currencies !== null && (
              <>
                <CurrencyCard
                  ref={card}
                  overview={currencies.main}
                  period={period}
                  comparison={comparison}
                  compared={isCompared ? (data?.compared ?? null) : null}
                  isOnlyCurrency={isOnlyCurrency}
                />
                {currencies.others.length > 0 && (
                  <OtherCurrencies
                    overviews={currencies.others}
                    period={period}
                    isCompared={isCompared && data?.compared !== null}
                    onChoose={choose}
                  />
                )}
              </>
            )}
          </Stack>
          {!isEmpty && (
            <Stack className={classes.creators}>
              <TopCreators period={period} currency={mainCurrency} isOnlyCurrency={isOnlyCurrency} />
              {mainCurrency !== undefined && (
                <RisingCreators
                  period={period}
                  comparison={comparison}
                  currency={mainCurrency}
                  isOnlyCurrency={isOnlyCurrency}
                />
              )}
            </Stack>
          )}
          <LiveTail />
        </Box>
      </LoadErrors>
    </ScreenPage>
  );
}

/** Keeps room for a part that isn't shown to a publisher without purchases, until that is known. */
const Awaited = ({ isKnown, children }: { isKnown: boolean; children: ReactNode }) => (
  <div className={classes.part} data-unknown={!isKnown || undefined}>
    {children}
  </div>
);

/**
 * Returns when the reader's previous visit ended; null if that was too recent or too long ago.
 * @param seenAtMs time of the last reload. Reloads stop while the page is hidden, so each reload shows that the reader
 * is present.
 */
function useLastVisit(publisherId: string, nowMs: () => number, seenAtMs: number): number | null {
  const [visit, setVisit] = useState(() => ({ publisherId, endMs: noteVisit(publisherId, nowMs()) }));
  useEffect(() => {
    if (seenAtMs > 0) setVisit({ publisherId, endMs: noteVisit(publisherId, nowMs()) });
  }, [publisherId, nowMs, seenAtMs]);
  return visit.publisherId === publisherId ? visit.endMs : null;
}

/** Returns whether a query has neither succeeded nor failed yet. */
const isLoading = ({ isPending, failureCount }: UseQueryResult<unknown, unknown>): boolean =>
  isPending && failureCount === 0;
