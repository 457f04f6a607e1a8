import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ApiFailure, codeOf } from './api-failure.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

/** Loaded with the first error about input. */
const InputText = lazy(() => import('./input-text.tsx').then((found) => ({ default: found.InputText })));

interface ErrorNoticeProps {
  error: unknown;
  /** Action that failed: "Couldn’t load the month". */
  title: string;
  onRetry?: (() => void) | undefined;
  /** Title if what was to be loaded doesn't exist: "Payout not found". Trying again wouldn't help then. */
  missing?: string;
}

/** Error message from the service, with the error code and request id for support. */
export function ErrorNotice({ error, title, onRetry, missing }: ErrorNoticeProps) {
  if (missing !== undefined && codeOf(error) === 'NotFound')
    return (
      <Alert color="gray" role="alert" icon={<Icon name="alert" />} title={missing}>
        {t('The link may be wrong, or the data is no longer kept.')}
      </Alert>
    );
  const failure = error instanceof ApiFailure ? error : null;
  return (
    <Alert color="red" role="alert" icon={<Icon name="alert" />} title={title}>
      <Stack gap="xs" align="flex-start">
        <ErrorText error={error} />
        {failure !== null && !isWrongInput(failure) && (
          <Group gap="xs">
            <Code>{failure.code}</Code>
            {failure.requestId !== null && (
              <>
                <Text size="sm">{t('Request ID')}</Text>
                <Group gap="xs" wrap="nowrap">
                  <Code>{failure.requestId}</Code>
                  <CopyButton value={failure.requestId} label={t('Copy request ID')} />
                </Group>
              </>
            )}
          </Group>
        )}
        {onRetry !== undefined && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="refresh" size={14} />}
            onClick={onRetry}
          >
            {t('Try again')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Returns whether the person only has to correct what was typed at sign-in, so no one has to look it up in the log. */
const isWrongInput = ({ status, code }: ApiFailure): boolean => status === 401 && code === 'Unauthorized';

/** An error's message. Only this file reads error messages; other code branches on `codeOf`. */
export const ErrorText = ({ error }: { error: unknown }) => (
  <Text size="sm">
    {codeOf(error) === 'InvalidInput' ? <FieldErrorText error={error} /> : messageOf(error)}
  </Text>
);

/** Message of an error about input, for the field that it is about. */
export const FieldErrorText = ({ error }: { error: unknown }) => (
  <Suspense>
    <InputText message={messageOf(error)} />
  </Suspense>
);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
