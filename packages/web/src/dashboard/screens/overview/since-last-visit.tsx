import { Trans } from '@lingui/react';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { getChangesOptions, getOverviewOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Changes, Overview } from '../../../client/types.gen.ts';
import { nextDay } from '../../../ui/dates/utc-days.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { countedStatuses } from '../../purchases-of.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { todayAt } from './period.ts';

/** Maximum number of currencies in the line. */
const maxCurrencies = 3;

interface Since {
  sums: Overview;
  /** Undefined if they couldn't be loaded. */
  changes: Changes | undefined;
}

/** Loads what happened since the day of the last visit. @param visitMs null if there is nothing to show */
export function useSinceVisit(visitMs: number | null) {
  const { publisherId, nowMs } = usePublisher();
  const { group } = useUrlState().query;
  const from = todayAt(visitMs ?? nowMs());
  const options = { enabled: visitMs !== null, refetchInterval: 30_000 };
  const path = { publisherId };
  const query = { group, from, until: nextDay(todayAt(nowMs())) };
  const sums = useQuery({ ...getOverviewOptions({ path, query }), ...options });
  const changes = useQuery({ ...getChangesOptions({ path, query: { group, from } }), ...options });
  const isLoading =
    visitMs !== null && ((sums.isPending && !sums.isError) || (changes.isPending && !changes.isError));
  const since: Since | null = sums.data === undefined ? null : { sums: sums.data, changes: changes.data };
  return { isLoading, since };
}

/**
 * Line that states what happened since the day of the last visit. Sums are by UTC day, so the day of the visit is
 * included.
 */
export function SinceLastVisit({ sums, changes, currency }: Since & { currency: string | undefined }) {
  const { group } = useUrlState().query;
  const found = sums.currencies
    .filter(({ now }) => now.rowCount !== '0')
    .sort((a, b) => Number(b.currency === currency) - Number(a.currency === currency));
  const shown = found
    .slice(0, maxCurrencies)
    .map((each) => formatMoney(each.now.shareMinor, each.currency))
    .join(', ');
  const more = found.length - maxCurrencies;
  const count = found.reduce((sum, { now }) => sum + Number(now.rowCount), 0);
  const values = {
    day: formatUtcDay(sums.period.from),
    count,
    total: formatCount(count),
    earned:
      more > 0
        ? t('{amounts} and {more, plural, one {# more currency} other {# more currencies}}', {
            amounts: shown,
            more,
          })
        : shown,
  };
  // The count covers all currencies, so the list has no filter by currency.
  const purchases = {
    group,
    status: countedStatuses,
    from: `${sums.period.from}T00:00:00Z`,
    until: `${sums.period.until}T00:00:00Z`,
  };
  return (
    <Text size="sm" c="dimmed" mb="md">
      {count === 0 ? (
        t('No purchases since your last visit on {day} (UTC).', values)
      ) : (
        <Trans
          id="Since your last visit on {day} (UTC): <0>{count, plural, one {{total} purchase} other {{total} purchases}}</0>, {earned} earned."
          values={values}
          components={{ 0: <ScreenLink isInText screen="transactions" query={purchases} /> }}
        />
      )}
      <Changed
        changes={changes}
        reversed={found.reduce((sum, { now }) => sum + Number(now.reversedCount), 0)}
      />
    </Text>
  );
}

/** Numbers of other changes, with links to their screens; nothing without changes. */
function Changed({ changes, reversed }: { changes: Changes | undefined; reversed: number }) {
  const { group } = useUrlState().query;
  const { joinedCreators = 0, createdPayouts = 0, paidPayouts = 0 } = changes ?? {};
  const parts = {
    reversed:
      reversed > 0 &&
      t('{count, plural, one {{total} was} other {{total} were}} reversed', {
        count: reversed,
        total: formatCount(reversed),
      }),
    joined: joinedCreators > 0 && (
      <ScreenLink isInText screen="creators" query={{ group }}>
        {t('{count, plural, one {{total} creator} other {{total} creators}} joined', {
          count: joinedCreators,
          total: atLeast(joinedCreators),
        })}
      </ScreenLink>
    ),
    created: createdPayouts > 0 && (
      <ScreenLink isInText screen="payouts/made" query={{ group }}>
        {t('{count, plural, one {{total} payout was} other {{total} payouts were}} created', {
          count: createdPayouts,
          total: atLeast(createdPayouts),
        })}
      </ScreenLink>
    ),
    paid:
      paidPayouts > 0 &&
      t('{count, plural, one {{total} payout was} other {{total} payouts were}} marked as paid', {
        count: paidPayouts,
        total: atLeast(paidPayouts),
      }),
  };
  return Object.entries(parts)
    .filter(([, part]) => part !== false)
    .map(([name, part], index) => (
      <Fragment key={name}>
        {index === 0 ? ' ' : ' · '}
        {part}
      </Fragment>
    ));
}

const maxCounted = 250;
const atLeast = (count: number): string => (count < maxCounted ? formatCount(count) : `${maxCounted}+`);
