import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { checkCodeOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';

interface ShadowWarningProps {
  code: string;
  groupId: string;
  /** Creator who receives the code; absent for a new creator. */
  memberId?: string;
}

/** Warns that a group code overrides another creator's identical global code. */
export function ShadowWarning({ code, groupId, memberId }: ShadowWarningProps) {
  const { publisherId } = usePublisher();
  const [typed] = useDebouncedValue(code.trim(), 200);
  const { data } = useQuery({
    ...checkCodeOptions({ path: { publisherId, code: typed }, query: { group: groupId } }),
    enabled: /^[A-Za-z0-9_-]{2,32}$/.test(typed) && groupId !== '',
  });
  const shadowed =
    typed === code.trim()
      ? data?.holders.find((holder) => holder.scope === 'global' && holder.memberId !== memberId)
      : undefined;
  if (data === undefined || shadowed === undefined) return null;
  return (
    <Alert
      color="yellow"
      icon={<Icon name="alert" />}
      title={t('{code} is a code of {name} in all groups', { code: shadowed.code, name: shadowed.name })}
    >
      {t(
        'A code in {group} takes precedence there. Purchases in that group will credit this creator instead of {name}.',
        { group: data.groupName, name: shadowed.name },
      )}
    </Alert>
  );
}
