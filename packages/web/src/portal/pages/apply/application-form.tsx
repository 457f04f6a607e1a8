import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { apply } from '../../../client/portal/sdk.gen.ts';
import type { ApplicationPage } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ApiFailure } from '../../../ui/api-failure.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { nameError, useFormErrors } from '../../../ui/use-form-errors.ts';
import { queryClient } from '../../api.ts';
import { applying } from '../../applying.ts';
import { Failing } from '../../failing.tsx';
import { accountsQuery } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import classes from './apply.module.css';
import { type CodeState, useCodeCheck } from './use-code-check.ts';

interface ApplicationFormProps {
  page: ApplicationPage;
  /** Address of the person who is signed in. */
  email: string;
}

/** Form with the name, the wanted code and the acceptance of the terms. An existing account keeps its name. */
export function ApplicationForm({ page, email }: ApplicationFormProps) {
  const { data, error, refetch } = useQuery(accountsQuery);
  if (error !== null) return <Failing error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeletons heights={[66, 66, 44, 44]} />;
  const known = data.rows.find(({ publishers }) =>
    publishers.some(({ publisherId }) => publisherId === page.publisher.publisherId),
  );
  return <Form page={page} email={email} knownName={known?.name ?? null} />;
}

function Form({ page, email, knownName }: ApplicationFormProps & { knownName: string | null }) {
  const { publisher, groupId, terms } = page;
  const [typedName, setName] = useState('');
  const [typedCode, setCode] = useState('');
  /** Hash of the terms that were accepted. Other terms, which may replace them meanwhile, must be accepted again. */
  const [acceptedSha256, setAcceptedSha256] = useState<string | null>(null);
  const isAccepted = acceptedSha256 === terms.sha256;
  const { error, isBusy, run } = useAttempt();
  const name = knownName ?? typedName.trim();
  const code = typedCode.trim();
  const state = useCodeCheck({ publisherId: publisher.publisherId, groupId, code });
  const { errors, check } = useFormErrors({
    name: knownName === null ? nameError(name) : null,
    code: codeError(state, code),
    accepted: isAccepted ? null : t('Read and accept the terms.'),
  });
  const send = async (): Promise<void> => {
    const path = { publisherId: publisher.publisherId, groupId };
    try {
      await apply({ path, body: { name, code, termsSha256: terms.sha256 }, throwOnError: true });
    } catch (failure) {
      // Something changed meanwhile, such as the terms. The page then shows how it is now.
      if (failure instanceof ApiFailure && failure.status !== 0) await queryClient.invalidateQueries();
      throw failure;
    }
    applying.forget();
    await queryClient.invalidateQueries();
    announce(t('Application sent'));
    window.scrollTo(0, 0);
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (check(event.currentTarget) && !isBusy) void run(send);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {knownName === null ? (
          <TextInput
            label={t('Creator name')}
            description={t('Players may see it.')}
            name="name"
            size="md"
            maxLength={255}
            autoComplete="nickname"
            error={errors.name}
            value={typedName}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        ) : (
          <Text>{t('You’re applying as {name}.', { name: knownName })}</Text>
        )}
        <CodeField typed={typedCode} state={state} error={errors.code} onChange={setCode} />
        <Acceptance
          isAccepted={isAccepted}
          error={errors.accepted}
          onChange={(accepts) => setAcceptedSha256(accepts ? terms.sha256 : null)}
        />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('{publisher} will see your name, code, and email address ({email}).', {
            publisher: publisher.name,
            email,
          })}
        </Text>
        {error !== null && <Failing error={error} title={t('Your application wasn’t sent')} />}
        <Button type="submit" size="md" loading={isBusy}>
          {t('Apply')}
        </Button>
      </Stack>
    </form>
  );
}

interface CodeFieldProps {
  typed: string;
  state: CodeState;
  error: string | undefined;
  onChange(typed: string): void;
}

function CodeField({ typed, state, error, onChange }: CodeFieldProps) {
  const code = typed.trim();
  return (
    <div>
      <TextInput
        label={t('Your code')}
        description={t('Players enter it to support you. 2 to 32 letters, digits, _ and -.')}
        name="code"
        size="md"
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        error={error}
        value={typed}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
      <p className={classes.verdict} role="status" data-is-free={state === 'free' || undefined}>
        {error === undefined && verdictOn(state, code)}
      </p>
    </div>
  );
}

function verdictOn(state: CodeState, code: string): string {
  switch (state) {
    case 'free':
      return t('{code} is available.', { code });
    case 'own':
      return t('{code} is already your code.', { code });
    case 'checking':
      return t('Checking…');
    case 'taken':
    case 'invalid':
      return codeError(state, code) ?? '';
    case 'short':
    case 'unknown':
      return '';
  }
}

/** @returns null if the application may be sent; the service has the last word */
function codeError(state: CodeState, code: string): string | null {
  if (state === 'taken') return t('{code} isn’t available. Choose another one.', { code });
  if (state === 'invalid') return t('Use 2 to 32 letters from A to Z, digits, _ and -.');
  if (state === 'short') return t('Enter a code with at least two letters or digits.');
  return null;
}

interface AcceptanceProps {
  isAccepted: boolean;
  error: string | undefined;
  onChange(isAccepted: boolean): void;
}

function Acceptance({ isAccepted, error, onChange }: AcceptanceProps) {
  const id = useId();
  return (
    <div>
      <label className={classes.accept}>
        <input
          type="checkbox"
          name="accepted"
          checked={isAccepted}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : id}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
        {t('I have read and accept the terms')}
      </label>
      {error !== undefined && (
        <p id={id} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
