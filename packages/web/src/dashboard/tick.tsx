import { ThemeIcon } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';
import classes from './tick.module.css';

/** Circle beside a step of a list, with a check mark once the step is done. */
export const Tick = ({ isDone }: { isDone: boolean }) => (
  <ThemeIcon
    size={22}
    radius="xl"
    variant={isDone ? 'light' : 'default'}
    color="green"
    role="img"
    aria-label={isDone ? t('Done') : t('To do')}
    {...(!isDone && { className: classes.open })}
  >
    {isDone && <Icon name="check" size={14} />}
  </ThemeIcon>
);
