import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { checkCodeOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';

interface ShadowWarningProps {
  /** The code as it is typed so far. */
  code: string;
  groupId: string;
  /** Who is to have it; absent while they are being added. */
  memberId?: string;
}

/** A group's own code goes before a global one of the same letters, so somebody else would be credited no longer. */
export function ShadowWarning({ code, groupId, memberId }: ShadowWarningProps) {
  const { publisherId } = usePublisher();
  const [asked] = useDebouncedValue(code.trim(), 200);
  const { data } = useQuery({
    ...checkCodeOptions({ path: { publisherId, code: asked }, query: { group: groupId } }),
    enabled: /^[A-Za-z0-9_-]{2,32}$/.test(asked) && groupId !== '',
  });
  const shadowed =
    asked === code.trim()
      ? data?.holders.find((holder) => holder.scope === 'global' && holder.memberId !== memberId)
      : undefined;
  if (data === undefined || shadowed === undefined) return null;
  return (
    <Alert
      color="yellow"
      icon={<Icon name="alert" />}
      title={t('{code} is a global code of {name}', { code: shadowed.code, name: shadowed.name })}
    >
      {t(
        'As a code of {group} alone it goes before the global one: purchases in that group credit this creator, and {name} no longer.',
        { group: data.groupName, name: shadowed.name },
      )}
    </Alert>
  );
}
