import { Button, Stack } from '@mantine/core';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { useCommand } from './use-command.tsx';

interface KeyCommandProps {
  /** Name of the key, as listed on Developers. */
  name: string;
  /** Code of an approved creator; null to disable the button. */
  code: { code: string; groupId: string } | null;
  /** True if this is the next step of a publisher without purchases. */
  isMain?: boolean;
  /** Notified when the dialog with the command opens and closes. */
  onShown?: ((isShown: boolean) => void) | undefined;
}

/**
 * Button that creates a key and shows, once, a command that records a purchase with it. For a live publisher, the
 * command records a Test purchase.
 */
export function KeyCommand({ name, code, isMain = false, onShown }: KeyCommandProps) {
  const { make, isBusy, error, dialog } = useCommand({ code, isFirst: isMain, onShown });
  return (
    <Stack gap="sm" align={isMain ? 'center' : 'flex-start'}>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t create the key')} />}
      <Button
        {...(!isMain && { variant: 'default' })}
        loading={isBusy}
        disabled={code === null}
        onClick={() => void make(name)}
      >
        {t('Create key and command')}
      </Button>
      {dialog}
    </Stack>
  );
}
