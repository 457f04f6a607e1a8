import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getSessionOptions, listEmailsQueryKey } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { removeEmail, requestEmailRemovalCode } from '../../../client/portal/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { EmailedCode } from '../../emailed-code.tsx';

/** Asks for the emailed code that removes an address. */
export function RemoveEmail({ email, onDone }: { email: string; onDone(): void }) {
  const client = useQueryClient();
  const { data } = useQuery(getSessionOptions());
  const remove = async (code: string): Promise<void> => {
    const { data: emails } = await removeEmail({ body: { email, code }, throwOnError: true });
    client.setQueryData(listEmailsQueryKey(), emails);
    announce(t('Address removed'));
    onDone();
  };
  return (
    <EmailedCode
      title={t('Confirm it’s you')}
      email={data?.email ?? ''}
      minutes={10}
      failure={t('Nothing was changed')}
      action={t('Remove address')}
      onConfirm={remove}
      onSendAgain={() => requestEmailRemovalCode({ body: { email }, throwOnError: true })}
      back={{ label: t('Keep it'), onBack: onDone }}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {t('After this, {email} can’t be used to sign in.', { email })}
      </Text>
    </EmailedCode>
  );
}
