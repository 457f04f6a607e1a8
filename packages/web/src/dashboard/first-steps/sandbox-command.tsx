import { Stack, Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { KeyCommand } from './key-command.tsx';
import { useUsableCode } from './use-usable-code.ts';

export function SandboxCommand() {
  const { code, isKnown } = useUsableCode(undefined);
  return (
    <Stack gap="sm" align="flex-start" mt="lg">
      <Text size="sm">
        {t('Record a purchase from a terminal with a new sandbox API key. Nothing recorded here is real.')}
      </Text>
      {isKnown && code === null && (
        <Text size="sm">{t('The command needs an approved creator with a code. Add one first.')}</Text>
      )}
      <KeyCommand name="sandbox command" code={code} />
    </Stack>
  );
}
