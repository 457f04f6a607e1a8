import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { addPasskey, beginPasskey, requestSignInMethodCode } from '../../../client/portal/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { createPasskey } from '../../../ui/passkey.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { EmailedCode } from '../../emailed-code.tsx';
import { Failing } from '../../failing.tsx';

interface AddPasskeyProps {
  /** Address that the code was sent to. */
  email: string;
  /** Called when the passkey was added, or to go back. */
  onDone(): void;
}

/** Asks for the emailed code, then for a name, and then lets the browser create the passkey. */
export function AddPasskey({ email, onDone }: AddPasskeyProps) {
  const [options, setOptions] = useState<Record<string, unknown> | null>(null);
  if (options !== null) return <Create options={options} onDone={onDone} />;
  return (
    <EmailedCode
      title={t('Confirm it’s you')}
      email={email}
      minutes={10}
      failure={t('Nothing was changed')}
      action={t('Continue')}
      onConfirm={async (code) => {
        const { data } = await beginPasskey({ body: { code }, throwOnError: true });
        setOptions(data);
      }}
      onSendAgain={() => requestSignInMethodCode({ body: { kind: 'passkey' }, throwOnError: true })}
      back={{ label: t('Cancel'), onBack: onDone }}
    >
      <Text>{t('Then your device asks for your fingerprint, face, or screen lock.')}</Text>
    </EmailedCode>
  );
}

function Create({ options, onDone }: { options: Record<string, unknown>; onDone(): void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [isCanceled, setCanceled] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const { errors, check } = useFormErrors({
    name: name.trim() === '' ? t('Name is required.') : null,
  });
  const create = async (): Promise<void> => {
    setCanceled(false);
    const response = await createPasskey(options as unknown as PublicKeyCredentialCreationOptionsJSON);
    if (response === null) return setCanceled(true);
    await addPasskey({ body: { name: name.trim(), response }, throwOnError: true });
    await queryClient.invalidateQueries();
    announce(t('Passkey added'));
    onDone();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (check(event.currentTarget)) void run(create);
  };
  return (
    <CreatorPage title={t('Create a passkey')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          {error !== null && <Failing error={error} title={t('Nothing was changed')} />}
          {isCanceled && <Alert role="status">{t('No passkey was created. You can try again.')}</Alert>}
          <TextInput
            label={t('Name')}
            description={t('Helps you recognize this passkey. Only you can see it.')}
            name="name"
            maxLength={100}
            size="md"
            error={errors.name}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" size="md" loading={isBusy}>
            {t('Create passkey')}
          </Button>
          <Button variant="default" size="md" onClick={onDone}>
            {t('Cancel')}
          </Button>
        </Stack>
      </form>
    </CreatorPage>
  );
}
