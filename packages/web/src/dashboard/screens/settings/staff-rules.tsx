import { Alert, Stack, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getStaffRulesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { getStaffRules, putStaffRules } from '../../../client/sdk.gen.ts';
import type { StaffRules as Rules } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { useMe, usePublisher } from '../../session/session.ts';
import { Section } from './section.tsx';
import { VersionedForm } from './versioned-form.tsx';

/** Rules for the publisher's staff. */
export function StaffRules() {
  const { publisherId, may } = usePublisher();
  const rules = useQuery(getStaffRulesOptions({ path: { publisherId } }));
  return (
    <Section title={t('Security')} about={t('Rules for everyone on your team.')}>
      {rules.error !== null && <ErrorNotice error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.data === undefined && rules.error === null && <LateSkeleton lines={2} />}
      {rules.data !== undefined &&
        (may('team') ? <Form rules={rules.data} /> : <Facts facts={factsOf(rules.data)} />)}
    </Section>
  );
}

const factsOf = ({ demandsTwoFactor, fourEyesPayouts }: Rules): [string, string][] => [
  [t('Second factor'), demandsTwoFactor ? t('Required') : t('Not required')],
  [t('Second person for payouts'), fourEyesPayouts ? t('Required') : t('Not required')],
];

function Form({ rules }: { rules: Rules }) {
  const { publisherId } = usePublisher();
  const { hasSecondFactor } = useMe();
  const queryClient = useQueryClient();
  const [demandsTwoFactor, setTwoFactor] = useState(rules.demandsTwoFactor);
  const [fourEyesPayouts, setFourEyes] = useState(rules.fourEyesPayouts);
  const locksOut = demandsTwoFactor && !rules.demandsTwoFactor && !hasSecondFactor;
  return (
    <VersionedForm
      thing={rules}
      isChanged={demandsTwoFactor !== rules.demandsTwoFactor || fourEyesPayouts !== rules.fourEyesPayouts}
      save={(version) =>
        putStaffRules({
          path: { publisherId },
          body: { version, demandsTwoFactor, fourEyesPayouts },
          throwOnError: true,
        })
      }
      readAgain={async () => (await getStaffRules({ path: { publisherId }, throwOnError: true })).data}
      summary={(saved) => <Facts facts={factsOf(saved)} />}
      onSaved={() => refresh(queryClient, 'getStaffRules')}
    >
      <Stack gap="md">
        <Switch
          label={t('Require a second factor')}
          description={t(
            'An authenticator app or a passkey. Anyone without one sets it up on their next visit.',
          )}
          checked={demandsTwoFactor}
          onChange={({ currentTarget: { checked } }) => setTwoFactor(checked)}
        />
        {locksOut && (
          <Alert color="yellow" icon={<Icon name="alert" />}>
            {t('You don’t have a second factor yet, so you’ll have to set one up as well.')}
          </Alert>
        )}
        <Switch
          label={t('Require a second person for payouts')}
          description={t('The person who creates a payout can’t mark it as paid.')}
          checked={fourEyesPayouts}
          onChange={({ currentTarget: { checked } }) => setFourEyes(checked)}
        />
      </Stack>
    </VersionedForm>
  );
}
