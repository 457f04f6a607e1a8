import {
  Alert,
  Anchor,
  Button,
  Group,
  List,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  ThemeIcon,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkCodeOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { CodeCheck as Check, CheckedCode } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import { keyOf } from './use-creators.ts';

/** Value of the URL parameter before a code is typed. */
export const noCodeYet = '?';

/** Runs the checks that recording performs on a code, and shows the result of each check. */
export function CodeCheck({ code }: { code: string }) {
  const { setQuery } = useUrlState();
  const [typed, setTyped] = useState(code === noCodeYet ? '' : code);
  return (
    <Stack>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') setQuery({ check: typed.trim() }, 'replace');
        }}
      >
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('Code')}
            description={t('As the player entered it.')}
            value={typed}
            maxLength={255}
            spellCheck={false}
            data-autofocus
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
          <Button type="submit">{t('Check')}</Button>
        </Group>
      </form>
      <GroupField />
      {code !== noCodeYet && <Verdict code={code} />}
    </Stack>
  );
}

/**
 * Selector for the group in which to check the code. Initially, the default group is selected. A group is
 * needed because a code may work in only one group.
 */
function GroupField() {
  const { setQuery } = useUrlState();
  const { rows: groups, group } = useGroups();
  if (groups.length < 2) return null;
  return (
    <NativeSelect
      label={t('Group')}
      data={groups.map(({ groupId, name }) => ({ value: groupId, label: name }))}
      value={group?.groupId ?? ''}
      onChange={({ currentTarget: { value } }) => setQuery({ group: value }, 'replace')}
    />
  );
}

function Verdict({ code }: { code: string }) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const answer = useQuery(
    checkCodeOptions({
      path: { publisherId, code },
      query: { ...(query.group !== undefined && { group: query.group }) },
    }),
  );
  if (answer.error !== null)
    return (
      <ErrorNotice
        error={answer.error}
        title={t('Couldn’t load the code')}
        onRetry={() => void answer.refetch()}
      />
    );
  if (answer.data === undefined) return <LateSkeleton lines={5} />;
  return <Checks answer={answer.data} />;
}

function Checks({ answer }: { answer: CheckedCode }) {
  const { credited, groupName, code, holders, checks } = answer;
  const { setQuery } = useUrlState();
  const failed = checks.find(({ verdict }) => verdict === 'failed');
  return (
    <>
      <Alert
        color={credited === null ? 'red' : 'green'}
        icon={<Icon name={credited === null ? 'cross' : 'check'} />}
        role="status"
        title={
          credited === null
            ? t('{code} is rejected in {groupName}', { code, groupName })
            : t('{code} credits {name} in {groupName}', { code, name: credited.name, groupName })
        }
      >
        <Text size="sm">{failed?.says ?? t('A purchase with this code is credited to this creator.')}</Text>
      </Alert>
      <List spacing="xs" size="sm" listStyleType="none" center={false}>
        {checks.map((check) => (
          <List.Item key={check.check} icon={<Mark verdict={check.verdict} />}>
            <Text size="sm" fw={600} component="span">
              {nameOf(check.check)}
            </Text>
            <Text size="sm" c={check.verdict === 'not asked' ? 'dimmed' : undefined}>
              {check.verdict === 'not asked' ? t('Skipped because an earlier check failed.') : check.says}
            </Text>
          </List.Item>
        ))}
      </List>
      {holders.length > 0 && (
        <Stack gap={4}>
          <Text fw={600} size="sm">
            {t('Creators with this code')}
          </Text>
          {holders.map((holder) => (
            <Group key={`${keyOf(holder)} ${holder.scope}`} gap="xs">
              <Anchor
                underline="always"
                component="button"
                type="button"
                size="sm"
                onClick={() => setQuery({ check: null, open: keyOf(holder) })}
              >
                {holder.name}
              </Anchor>
              <Text size="sm" c="dimmed">
                {holder.groupName} ·{' '}
                {holder.scope === 'group' ? t('this group only') : t('valid in all groups')}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </>
  );
}

function Mark({ verdict }: { verdict: Check['verdict'] }) {
  const { color, icon } = {
    passed: { color: 'green', icon: 'check' },
    failed: { color: 'red', icon: 'cross' },
    'not asked': { color: 'gray', icon: 'pause' },
  }[verdict] as { color: string; icon: 'check' | 'cross' | 'pause' };
  return (
    <ThemeIcon color={color} variant="light" size={24} radius="xl">
      <Icon name={icon} size={14} />
    </ThemeIcon>
  );
}

const nameOf = (check: Check['check']): string =>
  ({
    shape: t('Format is valid'),
    exists: t('Belongs to a creator'),
    group: t('Works in this group'),
    code: t('Code is approved'),
    member: t('Creator is approved'),
  })[check];
