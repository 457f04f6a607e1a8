import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { ApiFailure, messageOf } from './api-failure.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

interface ErrorNoticeProps {
  error: unknown;
  title?: string;
  /** Tries again; what was shown before stays in sight beneath. */
  onRetry?: (() => void) | undefined;
}

/** What went wrong, in the words of the service, and what somebody who can help needs to know. */
export function ErrorNotice({ error, title, onRetry }: ErrorNoticeProps) {
  const failure = error instanceof ApiFailure ? error : null;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<Icon name="alert" />}
      title={title ?? (failure?.status === 403 ? t('Your role may not do this') : t('That did not work'))}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {failure !== null && (
          <Group gap="xs">
            <Code>{failure.code}</Code>
            {failure.requestId !== null && (
              <>
                <Text size="sm">{t('Request')}</Text>
                <Code>{failure.requestId}</Code>
                <CopyButton value={failure.requestId} label={t('Copy the id of the request')} />
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
