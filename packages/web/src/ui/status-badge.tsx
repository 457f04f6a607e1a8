import { Badge } from '@mantine/core';
import { Icon, type IconName } from './icons.tsx';

const tones = {
  good: { color: 'green', icon: 'check' },
  bad: { color: 'red', icon: 'alert' },
  waiting: { color: 'yellow', icon: 'pending' },
  running: { color: 'blue', icon: 'play' },
  over: { color: 'gray', icon: 'stop' },
  neutral: { color: 'gray', icon: 'info' },
} as const satisfies Record<string, { color: string; icon: IconName }>;

export type Tone = keyof typeof tones;

export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  const { color, icon } = tones[tone];
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      fw={600}
      miw="max-content"
      leftSection={<Icon name={icon} size={12} />}
    >
      {children}
    </Badge>
  );
}
