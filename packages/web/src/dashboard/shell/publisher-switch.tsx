import { Button, Menu, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useMe, usePublisher } from '../session/session.ts';
import classes from './publisher-switch.module.css';

/**
 * Selector for the publisher. The publisher is part of the path so that two tabs can show different
 * publishers.
 */
export function PublisherSwitch() {
  const { publishers } = useMe();
  const here = usePublisher();
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  if (publishers.length === 1)
    return (
      <Text fw={600} truncate className={classes.name}>
        {here.name}
      </Text>
    );
  // A long name would push its end, which says that this is a sandbox, out of a phone's header.
  const hasBadge = isNarrow && here.sandboxOf !== null;
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          className={classes.switch}
          leftSection={hasBadge && <Icon name="sandbox" size={16} />}
          rightSection={<Icon name="down" size={14} />}
          aria-label={t('Publisher: {name}. Choose another', { name: here.name })}
        >
          <span className={classes.name}>
            {hasBadge ? here.name.replace(/ \(sandbox\)$/, '') : here.name}
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {publishers.map(({ publisherId, name, role, sandboxOf }) => (
          <Menu.Item
            key={publisherId}
            leftSection={publisherId === here.publisherId ? <Icon name="check" size={14} /> : <span />}
            onClick={() =>
              void navigate({ to: '/p/$publisherId', params: { publisherId } as never, search: {} as never })
            }
          >
            {name}
            <Text size="xs" c="dimmed">
              {sandboxOf === null ? role : t('sandbox, {role}', { role })}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
