import { Alert, Group, Stack, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getStaffRulesOptions } from '../client/@tanstack/react-query.gen.ts';
import { getStaffRules, putStaffRules } from '../client/sdk.gen.ts';
import type { StaffRules } from '../client/types.gen.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { refresh } from '../ui/refresh.ts';
import { LateSkeleton } from '../ui/skeletons.tsx';
import { t } from '../ui/text.ts';
import { toast } from '../ui/toast.ts';
import { useVersionedEdit } from '../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../ui/versioned-form.tsx';
import { useMe, usePublisher } from './session/session.ts';

export function StaffRulesForm() {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getStaffRulesOptions({ path: { publisherId } }));
  if (data !== undefined) return <Form rules={data} />;
  return error === null ? (
    <LateSkeleton lines={4} />
  ) : (
    <ErrorNotice error={error} title={t('Couldn’t load the rules')} onRetry={() => void refetch()} />
  );
}

function Form({ rules }: { rules: StaffRules }) {
  const { publisherId, may } = usePublisher();
  const { hasSecondFactor } = useMe();
  const queryClient = useQueryClient();
  const path = { publisherId };
  const edit = useVersionedEdit({
    thing: rules,
    fieldsOf: ({ demandsTwoFactor, fourEyesPayouts }) => ({ demandsTwoFactor, fourEyesPayouts }),
    describe: ({ demandsTwoFactor, fourEyesPayouts }) => [
      [t('Second factor'), demandsTwoFactor ? t('Required') : t('Not required')],
      [t('Second person for payouts'), fourEyesPayouts ? t('Required') : t('Not required')],
    ],
    read: (fields) => fields,
    save: async (fields, { version }) =>
      (await putStaffRules({ path, body: { version, ...fields }, throwOnError: true })).data,
    readAgain: async () => (await getStaffRules({ path, throwOnError: true })).data,
    async onSaved(saved) {
      await refresh(queryClient, 'getStaffRules');
      toast(wordsOf(saved));
    },
  });
  const { fields, base, change } = edit;
  const isFactorNew = fields.demandsTwoFactor !== base.demandsTwoFactor;
  const isSecondPersonNew = fields.fourEyesPayouts !== base.fourEyesPayouts;
  const mayChange = may('team');
  return (
    <VersionedForm edit={edit}>
      <Stack maw={640}>
        <Switch
          label={t('Require a second factor')}
          description={t(
            'An authenticator app or a passkey. Anyone without one sets one up on their next visit.',
          )}
          checked={fields.demandsTwoFactor}
          disabled={!mayChange}
          onChange={({ currentTarget: { checked } }) => change({ demandsTwoFactor: checked })}
        />
        {isFactorNew && (
          <Consequence>
            {fields.demandsTwoFactor
              ? hasSecondFactor
                ? t('Everyone signed in with only a password loses access until they add a second factor.')
                : t(
                    'Everyone signed in with only a password, including you, loses access until they add a second factor.',
                  )
              : t('A password alone will be enough to sign in.')}
          </Consequence>
        )}
        <Switch
          label={t('Require a second person for payouts')}
          description={t('The person who creates a payout can’t mark it as paid.')}
          checked={fields.fourEyesPayouts}
          disabled={!mayChange}
          onChange={({ currentTarget: { checked } }) => change({ fourEyesPayouts: checked })}
        />
        {isSecondPersonNew && (
          <Consequence>
            {fields.fourEyesPayouts
              ? t(
                  'The person who creates a payout won’t be able to mark it as paid. A second person with permission must do it.',
                )
              : t('The person who creates a payout will be able to mark it as paid.')}
          </Consequence>
        )}
        {mayChange ? (
          <Group>
            <SaveButton edit={edit} />
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {t('Only owners can change this.')}
          </Text>
        )}
      </Stack>
    </VersionedForm>
  );
}

/** Describes both rules, because both may have changed. */
const wordsOf = ({ demandsTwoFactor, fourEyesPayouts }: StaffRules): string =>
  demandsTwoFactor
    ? fourEyesPayouts
      ? t('A second factor and a second person for payouts are now required')
      : t('A second factor is now required, and one person can create and pay a payout')
    : fourEyesPayouts
      ? t('A second person for payouts is now required, and a password is enough to sign in')
      : t('A password is now enough to sign in, and one person can create and pay a payout');

const Consequence = ({ children }: { children: string }) => (
  <Alert color="yellow" icon={<Icon name="alert" />}>
    {children}
  </Alert>
);
