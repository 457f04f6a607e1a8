import { Alert, Button, Stack, Text } from '@mantine/core';
import { ApiFailure, codeOf } from '../ui/api-failure.ts';
import { ErrorText } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';

interface FailingProps {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** Error of a request, with what to do about it. */
export function Failing({ error, title, onRetry }: FailingProps) {
  return (
    <Alert
      color="red"
      role="alert"
      icon={<Icon name="alert" />}
      title={title ?? titleOf(codeOf(error), onRetry !== undefined)}
    >
      <Stack gap="sm" align="flex-start">
        {codeOf(error) === 'NoAnswer' ? (
          <Text size="sm">{t('Check your internet connection, then try again.')}</Text>
        ) : (
          <ErrorText error={error} />
        )}
        {error instanceof ApiFailure && error.status >= 500 && error.requestId !== null && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {t('Request ID')} {error.requestId}
          </Text>
        )}
        {onRetry !== undefined && (
          <Button variant="default" size="md" onClick={onRetry}>
            {t('Try again')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(code: string | null, isLoading: boolean): string {
  if (code === 'NoAnswer') return t('No connection');
  if (code === 'RateLimited') return t('Too many attempts');
  return isLoading ? t('Couldn’t load the data') : t('Couldn’t complete the action');
}
