import { Text } from '@mantine/core';
import { requestErasure, requestErasureCode } from '../../../client/portal/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { EmailedCode } from '../../emailed-code.tsx';
import { useErasure } from './use-erasure.ts';

/** Emails the code of an erasure. @returns the address */
export const requestCode = async (): Promise<string> =>
  (await requestErasureCode({ body: {}, throwOnError: true })).data.email;

/** Form for the code that requests the erasure. */
export function ConfirmErasure({ email, onDone }: { email: string; onDone(): void }) {
  const save = useErasure();
  return (
    <EmailedCode
      title={t('Confirm it’s you')}
      email={email}
      minutes={10}
      failure={t('Nothing was requested')}
      action={t('Erase my data')}
      onConfirm={async (code) => {
        const { data } = await requestErasure({ body: { code }, throwOnError: true });
        save(data);
        announce(t('Erasure requested'));
        onDone();
      }}
      onSendAgain={requestCode}
      back={{ label: t('Keep my data'), onBack: onDone }}
    >
      <Text>{t('This requests the erasure of your data at all publishers.')}</Text>
    </EmailedCode>
  );
}
