import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { startPayRunMutation } from '../../../client/@tanstack/react-query.gen.ts';
import type { PayRunFailure, PayRunLine, PayRunWithLines } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useGroupNames } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { causeOf, fallWords, onlyFell, reasonWords } from './change-words.ts';
import { PayoutLink } from './payout-link.tsx';
import classes from './payouts.module.css';

/** Number of creators named in a payout's list of lower amounts. */
const maxNamed = 10;

/** Names each payout that was not created, with the reason, and offers to retry those that may now succeed. */
export function Failures({ found: { run, lines } }: { found: PayRunWithLines }) {
  const { publisherId, may } = usePublisher();
  const queryClient = useQueryClient();
  const nameOf = useGroupNames();
  const start = useMutation(startPayRunMutation());
  const [isAsking, setAsking] = useState(false);
  const failed = lines.filter(({ failure }) => failure !== null);
  // With the same cutoff, changed amounts would fail again.
  const repeatable = failed.filter(({ failure }) => failure?.payoutChange === null);
  if (failed.length === 0) return null;
  const lower = failed.filter(canPayLess);
  const repeat = async (some: readonly PayRunLine[], exactly: boolean): Promise<void> => {
    const payouts = some.map(({ groupId, currency, totalMinor }) => ({ groupId, currency, totalMinor }));
    await start.mutateAsync({ path: { publisherId }, body: { asOf: run.asOf, payouts, exactly } });
    announce(t('Pay run continued'));
    await queryClient.invalidateQueries();
  };
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<Icon name="alert" />}
      title={t('Couldn’t create {count, plural, one {# payout} other {# payouts}}', { count: failed.length })}
    >
      <Stack gap="xs" align="flex-start">
        <List size="sm" className={classes.failures}>
          {failed.map((line) => (
            <List.Item key={`${line.groupId} ${line.currency}`}>
              <strong>
                {nameOf(line.groupId)}, {formatMoney(line.totalMinor, line.currency)}
              </strong>
              : {reasonOf(line)}
            </List.Item>
          ))}
        </List>
        <Text size="sm">{t('These weren’t paid. Their amounts stay due.')}</Text>
        {start.error !== null && <ErrorNotice error={start.error} title={t('Couldn’t create the payouts')} />}
        <Group gap="sm">
          {may('payouts') && lower.length > 0 && (
            <Button size="xs" onClick={() => setAsking(true)}>
              {t('Pay the lower amounts')}
            </Button>
          )}
          {may('payouts') && repeatable.length > 0 && (
            <Button
              size="xs"
              variant="default"
              loading={start.isPending}
              onClick={() => void repeat(repeatable, true).catch(() => undefined)}
            >
              {t('Try again')}
            </Button>
          )}
          <PayoutLink to="">{t('Preview the remaining amounts')}</PayoutLink>
        </Group>
        <ConfirmDialog
          opened={isAsking}
          onClose={() => setAsking(false)}
          title={fallWords(lower.flatMap(({ failure }) => failure?.payoutChange ?? []))}
          action={t('Create {count, plural, one {# payout} other {# payouts}}', { count: lower.length })}
          onConfirm={() => repeat(lower, false)}
        >
          <LowerAmounts lines={lower} />
        </ConfirmDialog>
      </Stack>
    </Alert>
  );
}

function reasonOf({ currency, failure }: PayRunLine): string {
  return failure === null ? '' : inWords(failure, currency);
}

function inWords({ message, payoutChange }: PayRunFailure, currency: string): string {
  if (payoutChange === null) return message;
  const after = payoutChange.currencies.find((each) => each.currency === currency)?.after.totalMinor ?? '0';
  const cause = onlyFell(payoutChange) ? `${fallWords([payoutChange])}.` : causeOf(payoutChange);
  return `${cause} ${t('The amount due is now {amount}.', { amount: formatMoney(after, currency) })}`;
}

/** Returns whether the amounts of a payout only fell, and something is left to pay. */
const canPayLess = ({ currency, failure }: PayRunLine): boolean =>
  failure?.payoutChange?.currencies.some(
    (each) => each.currency === currency && each.onlyFell && each.after.memberCount > 0,
  ) ?? false;

/** Creators who get less, with both amounts, and the new total of each payout. */
function LowerAmounts({ lines }: { lines: readonly PayRunLine[] }) {
  const nameOf = useGroupNames();
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t('These amounts fell since the preview. No creator gets more than shown there.')}
      </Text>
      {lines.map(({ groupId, currency, totalMinor, failure }) => {
        const change = failure?.payoutChange;
        const after = change?.currencies.find((each) => each.currency === currency)?.after.totalMinor ?? '0';
        const hidden = (change?.changedCount ?? 0) - maxNamed;
        return (
          <div key={`${groupId} ${currency}`}>
            <Text size="sm" fw={600}>
              {t('{group}: {after} instead of {before}', {
                group: nameOf(groupId),
                after: formatMoney(after, currency),
                before: formatMoney(totalMinor, currency),
              })}
            </Text>
            <List size="sm">
              {change?.members.slice(0, maxNamed).map((member) => (
                <List.Item key={member.memberId}>
                  {t('{name}: {after} instead of {before}', {
                    name: member.name,
                    after: formatMoney(member.afterMinor, currency),
                    before: formatMoney(member.beforeMinor, currency),
                  })}{' '}
                  ({member.reasons.map((reason) => reasonWords()[reason]).join(', ')})
                </List.Item>
              ))}
            </List>
            {hidden > 0 && (
              <Text size="sm">
                {t('And {count, plural, one {# more creator} other {# more creators}}.', { count: hidden })}
              </Text>
            )}
          </div>
        );
      })}
    </Stack>
  );
}
