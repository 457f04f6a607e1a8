import { Badge } from '@mantine/core';
import { Icon, type IconName } from './icons.tsx';
import classes from './status-badge.module.css';

/** Color and icon of each tone. Only exceptions, which someone may have to act on, are badges. */
const tones = {
  good: { color: 'green', icon: 'check', isException: false },
  bad: { color: 'red', icon: 'alert', isException: true },
  waiting: { color: 'yellow', icon: 'pending', isException: true },
  running: { color: 'accent', icon: 'play', isException: true },
  over: { color: 'gray', icon: 'stop', isException: false },
  neutral: { color: 'gray', icon: 'info', isException: false },
} as const satisfies Record<string, { color: string; icon: IconName; isException: boolean }>;

export type Tone = keyof typeof tones;

export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  const { color, icon, isException } = tones[tone];
  if (!isException)
    return (
      <span className={classes.usual} data-tone={tone} data-status>
        <Icon name={icon} size={14} />
        {children}
      </span>
    );
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      data-status
      fw={600}
      miw="max-content"
      leftSection={<Icon name={icon} size={14} />}
    >
      {children}
    </Badge>
  );
}
