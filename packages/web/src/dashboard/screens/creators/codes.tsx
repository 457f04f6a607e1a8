import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Code,
  Group,
  Menu,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { putCreatorCode, removeCreatorCode } from '../../../client/sdk.gen.ts';
import type { Creator, CreatorCode } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useFieldErrors } from '../../../ui/use-field-errors.tsx';
import { usePublisher } from '../../session/session.ts';
import { codeError } from './code-error.ts';
import { ShadowWarning } from './shadow-warning.tsx';
import { useRefresh } from './use-creators.ts';

type Scope = CreatorCode['scope'];

export function Codes({ creator }: { creator: Creator }) {
  const { may } = usePublisher();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<CreatorCode | null>(null);
  const change = useCodeChange(creator);
  const mayChange = may('members');
  return (
    <Stack gap="xs">
      {creator.codes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No codes yet, so no purchases can be credited.')}
        </Text>
      )}
      {creator.codes.map((code) => (
        <Group key={`${code.scope} ${code.code}`} justify="space-between" wrap="nowrap">
          <Group gap={6}>
            <Code fz="sm">{code.code}</Code>
            {code.isPrimary && (
              <Badge variant="light" color="accent" tt="none">
                {t('Primary')}
              </Badge>
            )}
            {!code.isApproved && (
              <Badge variant="light" color="yellow" tt="none">
                {t('Not approved')}
              </Badge>
            )}
            <Text size="sm" c="dimmed">
              {code.scope === 'group' ? t('this group only') : t('all groups')}
              {code.isGenerated && ` · ${t('generated')}`}
            </Text>
          </Group>
          {mayChange && (code.scope === 'group' || creator.isOurs) && (
            <CodeMenu
              code={code}
              onChange={(changes) => void change.put(code.code, { scope: code.scope, ...changes })}
              onRemove={() => setRemoved(code)}
            />
          )}
        </Group>
      ))}
      {change.error !== null && <ErrorNotice error={change.error} title={t('Couldn’t change the codes')} />}
      {mayChange &&
        (isAdding ? (
          <NewCode creator={creator} onClose={() => setAdding(false)} />
        ) : (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setAdding(true)}
            >
              {t('Add code')}
            </Button>
          </Group>
        ))}
      <ConfirmDialog
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={t('Remove code {code}?', { code: removed?.code ?? '' })}
        action={t('Remove code')}
        isDangerous
        onConfirm={async () => removed !== null && change.remove(removed)}
      >
        {t(
          'The code stops crediting purchases, and other creators can take it. Purchases already credited stay with {name}.',
          {
            name: creator.name,
          },
        )}
      </ConfirmDialog>
    </Stack>
  );
}

interface CodeMenuProps {
  code: CreatorCode;
  onChange(changes: { isPrimary?: true; isApproved?: boolean }): void;
  onRemove(): void;
}

function CodeMenu({ code, onChange, onRemove }: CodeMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('Edit {code}', { code: code.code })}
        >
          <Icon name="down" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!code.isPrimary && (
          <Menu.Item onClick={() => onChange({ isPrimary: true })}>{t('Make primary')}</Menu.Item>
        )}
        <Menu.Item onClick={() => onChange({ isApproved: !code.isApproved })}>
          {code.isApproved ? t('Disable') : t('Approve')}
        </Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={onRemove}>
          {t('Remove…')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function NewCode({ creator, onClose }: { creator: Creator; onClose(): void }) {
  const [code, setCode] = useState('');
  const [scope, setScope] = useState<Scope>('group');
  const [isPrimary, setPrimary] = useState(false);
  useUnsaved({ code, scope, isPrimary });
  const change = useCodeChange(creator);
  const { errors, check, notice } = useFieldErrors({ code: codeError(code) }, change.error);
  const add = async (): Promise<void> => {
    if (await change.put(code.trim(), { scope, ...(isPrimary && { isPrimary }) })) onClose();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget)) void add();
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={t('New code')}
          description={t('2 to 32 letters, digits, _ and -.')}
          name="code"
          autoComplete="off"
          required
          value={code}
          error={errors.code}
          data-autofocus
          spellCheck={false}
          onChange={({ currentTarget: { value } }) => setCode(value)}
        />
        {creator.isOurs && (
          <SegmentedControl
            aria-label={t('Where the code works')}
            value={scope}
            data={[
              { value: 'group', label: t('This group only') },
              { value: 'global', label: t('All groups') },
            ]}
            onChange={(value) => setScope(value as Scope)}
          />
        )}
        {scope === 'group' && (
          <ShadowWarning code={code} groupId={creator.groupId} memberId={creator.memberId} />
        )}
        <Checkbox
          label={t('Primary code')}
          checked={isPrimary}
          onChange={({ currentTarget: { checked } }) => setPrimary(checked)}
        />
        {notice !== null && <ErrorNotice error={notice} title={t('Couldn’t change the codes')} />}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={change.isBusy}>
            {t('Add code')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useCodeChange({ memberId, groupId, name, codes }: Creator) {
  const { publisherId } = usePublisher();
  const refresh = useRefresh();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const path = (code: string) => ({ publisherId, memberId, code });
  return {
    error,
    isBusy,
    /** @returns whether it succeeded */
    async put(
      code: string,
      body: { scope: Scope; isPrimary?: true; isApproved?: boolean },
    ): Promise<boolean> {
      setBusy(true);
      setError(null);
      try {
        await putCreatorCode({ path: path(code), query: { group: groupId }, body, throwOnError: true });
        const isNew = !codes.some((each) => each.code === code && each.scope === body.scope);
        toast(wordsOf({ code, name, isNew, isApproved: body.isApproved }));
        return true;
      } catch (thrown) {
        setError(thrown);
        return false;
      } finally {
        setBusy(false);
        await refresh();
      }
    },
    async remove({ code, scope }: CreatorCode): Promise<void> {
      await removeCreatorCode({ path: path(code), query: { group: groupId, scope }, throwOnError: true });
      toast(t('Code {code} removed from {name}', { code, name }));
      await refresh();
    },
  };
}

interface Changed {
  code: string;
  name: string;
  isNew: boolean;
  /** Absent unless it changed. */
  isApproved: boolean | undefined;
}

function wordsOf({ code, name, isNew, isApproved }: Changed): string {
  if (isNew) return t('Code {code} added to {name}', { code, name });
  if (isApproved === undefined) return t('{code} is now the primary code of {name}', { code, name });
  return isApproved ? t('Code {code} approved', { code }) : t('Code {code} is no longer approved', { code });
}
