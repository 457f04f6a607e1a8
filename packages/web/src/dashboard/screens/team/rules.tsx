import { Stack, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getStaffRulesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { putStaffRules } from '../../../client/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';

interface RulesValue {
  demandsTwoFactor: boolean;
  fourEyesPayouts: boolean;
  version: string;
}

/** Rules for the staff. */
export function Rules() {
  const { publisherId, may } = usePublisher();
  const client = useQueryClient();
  const options = getStaffRulesOptions({ path: { publisherId } });
  const { data, error, refetch } = useQuery(options);
  const [pending, setPending] = useState<RulesValue | null>(null);
  if (data === undefined)
    return error === null ? (
      <LateSkeleton lines={4} />
    ) : (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    );
  const isTwoFactorNew = pending?.demandsTwoFactor !== data.demandsTwoFactor;
  return (
    <Stack maw={640}>
      <Switch
        label={t('Require a second factor')}
        description={t(
          'An authenticator app or a passkey. Anyone without one sets it up on their next visit.',
        )}
        checked={data.demandsTwoFactor}
        disabled={!may('team')}
        onChange={() => setPending({ ...data, demandsTwoFactor: !data.demandsTwoFactor })}
      />
      <Switch
        label={t('Require a second person for payouts')}
        description={t('The person who creates a payout can’t mark it as paid.')}
        checked={data.fourEyesPayouts}
        disabled={!may('team')}
        onChange={() => setPending({ ...data, fourEyesPayouts: !data.fourEyesPayouts })}
      />
      {!may('team') && (
        <Text size="sm" c="dimmed">
          {t('Only owners can change this.')}
        </Text>
      )}
      <ConfirmDialog
        opened={pending !== null}
        onClose={() => setPending(null)}
        title={t('Change this rule?')}
        action={t('Change rule')}
        onConfirm={async () => {
          if (pending === null) return;
          await putStaffRules({ path: { publisherId }, body: pending, throwOnError: true });
          announce(t('Rule changed'));
          await client.invalidateQueries({ queryKey: options.queryKey });
        }}
      >
        {isTwoFactorNew
          ? data.demandsTwoFactor
            ? t('A password alone will be enough to sign in.')
            : t(
                'Everyone signed in with only a password, including you, loses access to this publisher until they add a second factor.',
              )
          : data.fourEyesPayouts
            ? t('The person who creates a payout will be able to mark it as paid.')
            : t(
                'The person who creates a payout won’t be able to mark it as paid. A second person with permission must do it.',
              )}
      </ConfirmDialog>
    </Stack>
  );
}
