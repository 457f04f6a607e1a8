import { enterCode, requestCode } from '../../../client/portal/sdk.gen.ts';
import { t } from '../../../ui/text.ts';
import { EmailedCode } from '../../emailed-code.tsx';

interface CodeFormProps {
  email: string;
  onEntered(): void;
  /** Called to use another address. */
  onOther(): void;
}

/** Form for the code that signs in. */
export const CodeForm = ({ email, onEntered, onOther }: CodeFormProps) => (
  <EmailedCode
    title={t('Enter your code')}
    email={email}
    minutes={15}
    failure={t('That didn’t work')}
    action={t('Sign in')}
    onConfirm={async (code) => {
      await enterCode({ body: { code }, throwOnError: true });
      onEntered();
    }}
    onSendAgain={() => requestCode({ body: { email }, throwOnError: true })}
    back={{ label: t('Use another address'), onBack: onOther }}
  />
);
