import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { claim, previewClaim } from '../../../client/portal/sdk.gen.ts';
import type { ClaimPreview } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { CodeInput, codeIn, isComplete } from '../../code-input.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { goTo } from '../../place.ts';
import { accountsQuery, rememberPublisher } from '../../publisher.ts';
import { YouPage } from '../../you-page.tsx';

/** Page that connects a creator account with an auth code, after showing what that means. */
export function Page() {
  const [typed, setTyped] = useState<{ code: string; preview: ClaimPreview } | null>(null);
  if (typed === null) return <TypeCode onFound={setTyped} />;
  return <Confirm {...typed} onBack={() => setTyped(null)} />;
}

function TypeCode({ onFound }: { onFound(found: { code: string; preview: ClaimPreview }): void }) {
  const [code, setCode] = useState('');
  const { error, isBusy, run } = useAttempt();
  const { errors, check } = useFormErrors({
    authCode: isComplete(code) ? null : t('Enter the eight letters and digits of the code.'),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      const { data } = await previewClaim({ body: { authCode: codeIn(code) }, throwOnError: true });
      onFound({ code: codeIn(code), preview: data });
    });
  };
  return (
    <YouPage title={t('Connect an account')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text>
            {t(
              'Enter the auth code that a publisher, or its game, showed you. Nothing is connected until you confirm.',
            )}
          </Text>
          {error !== null && <Failing error={error} title={t('That didn’t work')} />}
          <CodeInput
            label={t('Auth code')}
            name="authCode"
            autoComplete="off"
            error={errors.authCode}
            value={code}
            onChange={setCode}
          />
          <Button type="submit" size="md" loading={isBusy}>
            {t('Continue')}
          </Button>
        </Stack>
      </form>
    </YouPage>
  );
}

interface ConfirmProps {
  code: string;
  preview: ClaimPreview;
  onBack(): void;
}

function Confirm({ code, preview: { name, publishers, isOwn }, onBack }: ConfirmProps) {
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const connect = async (): Promise<void> => {
    const { data } = await claim({ body: { authCode: code }, throwOnError: true });
    const [first] = data.publishers;
    if (first !== undefined) rememberPublisher(first.publisherId);
    await client.invalidateQueries({ queryKey: accountsQuery.queryKey });
    goTo('/', { replaces: true });
  };
  const names = publishers.map((each) => each.name).join(', ');
  if (isOwn)
    return (
      <CreatorPage title={t('Already connected')}>
        <Stack>
          <Text>{t('The account {name} is already connected. The code wasn’t used.', { name })}</Text>
          <LinkButton to="/">{t('Go to Home')}</LinkButton>
        </Stack>
      </CreatorPage>
    );
  return (
    <CreatorPage title={t('Connect {name}?', { name })}>
      <Stack>
        <Text>{t('This creator account is with {publishers}.', { publishers: names })}</Text>
        <Text component="ul" m={0} ps="lg">
          <li>{t('You’ll see its codes, its balances, and everything it has earned.')}</li>
          <li>{t('From then on, only you can see this account in the portal.')}</li>
          <li>{t('The code can’t be used again.')}</li>
        </Text>
        {error !== null && <Failing error={error} title={t('The account wasn’t connected')} />}
        <Button size="md" loading={isBusy} onClick={() => void run(connect)}>
          {t('Connect account')}
        </Button>
        <Button size="md" variant="default" onClick={onBack}>
          {t('This isn’t my account')}
        </Button>
      </Stack>
    </CreatorPage>
  );
}
