import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';

interface Shared {
  name: string;
  revShare: number | null;
}

/** Describes a change to a tier or group. */
export function savedWords(kind: 'tier' | 'group', before: Shared | null, saved: Shared): string {
  const values = { name: saved.name, before: before?.name ?? '', share: formatPercent(saved.revShare) };
  if (before === null)
    return kind === 'tier'
      ? t('Tier {name} created with {share}', values)
      : t('Group {name} created with {share}', values);
  const isRenamed = before.name !== saved.name;
  if (isRenamed && before.revShare === saved.revShare) return t('{before} renamed to {name}', values);
  if (!isRenamed && before.revShare !== saved.revShare) return t('{name} now earns {share}', values);
  return t('{name} changed', values);
}
