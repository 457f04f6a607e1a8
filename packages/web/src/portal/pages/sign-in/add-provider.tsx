import { Text } from '@mantine/core';
import { addProvider, requestSignInMethodCode } from '../../../client/portal/sdk.gen.ts';
import type { Provider } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { EmailedCode } from '../../emailed-code.tsx';

/** Provider that is added, and the address that the code was sent to. */
export interface Asked extends Provider {
  email: string;
}

/** Form for the emailed code, which then opens the provider's page. */
export const AddProvider = ({ asked, onBack }: { asked: Asked; onBack(): void }) => (
  <EmailedCode
    title={t('Confirm it’s you')}
    email={asked.email}
    minutes={10}
    failure={t('Nothing was changed')}
    action={t('Continue to {provider}', { provider: asked.name })}
    onConfirm={async (code) => {
      const body = { provider: asked.provider, code };
      const { data } = await addProvider({ body, throwOnError: true });
      window.location.assign(data.url);
    }}
    onSendAgain={() => requestSignInMethodCode({ body: { kind: asked.provider }, throwOnError: true })}
    back={{ label: t('Cancel'), onBack }}
  >
    <Text>
      {t(
        'Then {provider} asks you which account to add. Anyone who can sign in to that account can see your earnings here.',
        {
          provider: asked.name,
        },
      )}
    </Text>
  </EmailedCode>
);
