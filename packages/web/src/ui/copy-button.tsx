import { ActionIcon, Button, CopyButton as Copying, Tooltip } from '@mantine/core';
import { announce } from './announce.tsx';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

interface CopyButtonProps {
  value: string;
  /** Label of the button, such as "Copy order ID". */
  label?: string;
  /** Shows the label beside the icon. */
  withLabel?: boolean;
  /** Size of the button with a label. */
  size?: 'xs' | 'sm';
  icon?: 'copy' | 'link';
  /** True for the main button of a dialog. */
  isMain?: boolean;
}

export function CopyButton({
  value,
  label = t('Copy'),
  withLabel = false,
  size = 'sm',
  icon = 'copy',
  isMain = false,
}: CopyButtonProps) {
  return (
    <Copying value={value} timeout={2_000}>
      {({ copied, copy }) => {
        const drawing = <Icon name={copied ? 'check' : icon} size={withLabel && size === 'xs' ? 14 : 16} />;
        const onClick = (): void => {
          copy();
          announce(t('Copied'));
        };
        return withLabel ? (
          <Button
            size={size}
            variant={isMain ? 'filled' : 'default'}
            leftSection={drawing}
            onClick={onClick}
            data-autofocus={isMain || undefined}
          >
            {copied ? t('Copied') : label}
          </Button>
        ) : (
          <Tooltip label={copied ? t('Copied') : label}>
            <ActionIcon variant="subtle" color="gray" size={24} aria-label={label} onClick={onClick}>
              {drawing}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </Copying>
  );
}
