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
  version: number;
}

/** What is asked of everybody. */
export function Rules() {
  const { publisherId, may } = usePublisher();
  const client = useQueryClient();
  const options = getStaffRulesOptions({ path: { publisherId } });
  const { data, error, refetch } = useQuery(options);
  const [wanted, setWanted] = useState<RulesValue | null>(null);
  if (data === undefined)
    return error === null ? (
      <LateSkeleton lines={4} />
    ) : (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    );
  const isTwoFactorNew = wanted?.demandsTwoFactor !== data.demandsTwoFactor;
  return (
    <Stack maw={640}>
      <Switch
        label={t('Everybody shows a second factor')}
        description={t(
          'A code from an authenticator app, or a passkey. Who has none sets one up at the next visit.',
        )}
        checked={data.demandsTwoFactor}
        disabled={!may('team')}
        onChange={() => setWanted({ ...data, demandsTwoFactor: !data.demandsTwoFactor })}
      />
      <Switch
        label={t('A second person pays')}
        description={t('A payout is marked as paid by somebody else than who created it.')}
        checked={data.fourEyesPayouts}
        disabled={!may('team')}
        onChange={() => setWanted({ ...data, fourEyesPayouts: !data.fourEyesPayouts })}
      />
      {!may('team') && (
        <Text size="sm" c="dimmed">
          {t('Owners change this.')}
        </Text>
      )}
      <ConfirmDialog
        opened={wanted !== null}
        onClose={() => setWanted(null)}
        title={t('Change what is asked of everybody?')}
        action={t('Change it')}
        onConfirm={async () => {
          if (wanted === null) return;
          await putStaffRules({ path: { publisherId }, body: wanted, throwOnError: true });
          announce(t('Changed'));
          await client.invalidateQueries({ queryKey: options.queryKey });
        }}
      >
        {isTwoFactorNew
          ? data.demandsTwoFactor
            ? t('A password alone is enough again.')
            : t(
                'Whoever is signed in with a password alone sees nothing of this publisher until they show a second factor. You, too.',
              )
          : data.fourEyesPayouts
            ? t('Whoever creates a payout may mark it as paid again.')
            : t('Whoever creates a payout cannot mark it as paid: a second person with the role does.')}
      </ConfirmDialog>
    </Stack>
  );
}
