import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CheckedAccent } from '../../../client/types.gen.ts';
import { t } from '../../../ui/text.ts';
import classes from './branding.module.css';

interface AccentFieldProps {
  /** Text as typed; empty for the product's default accent. */
  value: string;
  ownAccent: string;
  isColor: boolean;
  /** Undefined while the color is being checked. */
  checked: CheckedAccent | undefined;
  onChange(value: string): void;
}

/**
 * Field for a color, with the browser's own color picker. For a color with too little contrast, the field suggests one
 * that passes.
 */
export function AccentField({ value, ownAccent, isColor, checked, onChange }: AccentFieldProps) {
  const color = checked?.color ?? ownAccent;
  const isRefused = checked?.passes === false;
  const numbers = checked && { contrast: String(checked.contrast), needed: String(checked.minContrast) };
  return (
    <Stack gap={4} maw={420}>
      <TextInput
        label={t('Accent')}
        description={t('Color of buttons. Leave empty for the default.')}
        value={value}
        placeholder={ownAccent}
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        error={
          isColor
            ? isRefused &&
              t('White text on {color} has a contrast of {contrast}. It needs {needed} to be readable.', {
                color,
                ...numbers,
              })
            : t('Enter # and six digits or letters from A to F, such as {example}.', { example: ownAccent })
        }
        leftSection={
          <input
            type="color"
            className={classes.picker}
            aria-label={t('Choose accent')}
            value={color}
            onChange={({ currentTarget: { value: picked } }) => onChange(picked)}
          />
        }
        onChange={({ currentTarget: { value: typed } }) => onChange(typed)}
      />
      {/* The line keeps its height, so that nothing below it moves while a color is chosen. */}
      <Group gap="xs" mih={32}>
        {isRefused ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<span className={classes.swatch} style={{ background: checked.nearest }} />}
            onClick={() => onChange(checked.nearest)}
          >
            {t('Use {color}', { color: checked.nearest })}
          </Button>
        ) : (
          numbers !== undefined && (
            <Text size="sm" c="dimmed">
              {t('Contrast with white: {contrast}', numbers)}
            </Text>
          )
        )}
      </Group>
    </Stack>
  );
}
