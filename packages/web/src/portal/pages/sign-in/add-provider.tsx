import { Text } from '@mantine/core';
import { addProvider, requestSignInMethodCode } from '../../../client/portal/sdk.gen.ts';
import type { Provider } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { EmailedCode } from '../../emailed-code.tsx';

interface AddProviderProps {
  provider: Provider;
  /** Address that the code was sent to. */
  email: string;
  onBack(): void;
}

/** Form for the emailed code, which then opens the provider's page. */
export const AddProvider = ({ provider, email, onBack }: AddProviderProps) => (
  <EmailedCode
    title={t('Confirm it’s you')}
    email={email}
    minutes={10}
    failure={t('Nothing was changed')}
    action={t('Continue to {provider}', { provider: provider.name })}
    onConfirm={async (code) => {
      const body = { provider: provider.provider, code };
      const { data } = await addProvider({ body, throwOnError: true });
      window.location.assign(data.url);
    }}
    onSendAgain={() => requestSignInMethodCode({ body: { kind: provider.provider }, throwOnError: true })}
    back={{ label: t('Cancel'), onBack }}
  >
    <Text>
      {t(
        'Then {provider} asks you which account to add. Anyone who can sign in to that account can see your earnings here.',
        {
          provider: provider.name,
        },
      )}
    </Text>
  </EmailedCode>
);
