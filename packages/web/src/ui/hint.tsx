import { ActionIcon, Popover, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import classes from './hint.module.css';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

/** Keeps the button on the line of the word before it. */
const wordJoiner = '\u2060';

interface HintProps {
  /** Text beside the button, which names it for screen readers. */
  about: string;
  children: ReactNode;
}

/**
 * "?" button beside a figure or sentence that opens its definition or details. Unlike a tooltip, it also works with a
 * keyboard and on a touch screen, and may contain links.
 */
export const Hint = ({ about, children }: HintProps) => (
  <>
    {wordJoiner}
    <HintPopover about={about} details={children}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        className={classes.hint}
        aria-label={t('About “{name}”', { name: about })}
      >
        <Icon name="help" size={14} />
      </ActionIcon>
    </HintPopover>
  </>
);

/** Definition or details that a button opens. */
export const HintPopover = ({
  about,
  details,
  children,
}: {
  about: string;
  details: ReactNode;
  /** Button. */
  children: ReactElement;
}) => (
  <Popover width={300} position="bottom" shadow="md" trapFocus returnFocus>
    <Popover.Target>{children}</Popover.Target>
    <Popover.Dropdown p="sm" aria-label={about}>
      <Text size="sm" component="div" className={classes.text} tabIndex={-1} data-autofocus>
        {details}
      </Text>
    </Popover.Dropdown>
  </Popover>
);
