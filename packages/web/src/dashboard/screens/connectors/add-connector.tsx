import { Button, Checkbox, Group, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createConnector } from '../../../client/sdk.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFieldErrors } from '../../../ui/use-field-errors.tsx';
import { nameError } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { appIdError } from './app-id-error.ts';
import { AppIdInput } from './app-id-input.tsx';
import { choiceNamed, shopChoices } from './shops.ts';
import { useReloadConnectors } from './use-connectors.ts';

interface AddConnectorProps {
  /** Shop that is chosen first; null while the dialog is closed. */
  choice: string | null;
  onClose(): void;
}

/** Dialog that adds a connector, and then opens its page, which guides through the rest of the setup. */
export function AddConnector({ choice, onClose }: AddConnectorProps) {
  return (
    <Dialog opened={choice !== null} onClose={onClose} title={t('Add connector')} size="lg">
      {choice !== null && <Fields first={choice} onClose={onClose} />}
    </Dialog>
  );
}

function Fields({ first, onClose }: { first: string; onClose(): void }) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const reload = useReloadConnectors();
  const groups = useQuery(groupsOptions(publisherId)).data ?? [];
  const [id, setId] = useState(first);
  /** Null until a name is typed. Until then, the shop's name is used. */
  const [typed, setTyped] = useState<string | null>(null);
  const [groupId, setGroupId] = useState('');
  const [isOption, setOption] = useState(false);
  const [appId, setAppId] = useState('');
  const settle = useUnsaved({ id, typed, groupId, isOption, appId });
  const { error, isBusy, run } = useAttempt();
  const choice = choiceNamed(id);
  const name = typed ?? (choice === undefined ? '' : t(choice.name));
  const needsAppId = choice?.needsAppId === true;
  const { errors, check, notice } = useFieldErrors(
    {
      name: nameError(name),
      steamAppId: needsAppId ? appIdError(appId) : null,
    },
    error,
  );
  const choose = (next: string): void => {
    setId(next);
    setOption(false);
  };
  const add = (): Promise<void> =>
    run(async () => {
      if (choice === undefined) return;
      const { data } = await createConnector({
        path: { publisherId },
        body: {
          name: name.trim(),
          provider: choice.provider,
          settings: {
            ...choice.settings,
            ...(isOption && choice.option?.settings),
            ...(needsAppId && { steamAppId: appId.trim() }),
          },
          ...(groupId !== '' && { groupId }),
        },
        throwOnError: true,
      });
      settle();
      await reload();
      onClose();
      await navigate({
        to: `/p/$publisherId/connectors/${encodeURIComponent(data.connectorId)}`,
        params: { publisherId } as never,
      });
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && !isBusy) void add();
      }}
    >
      <Stack>
        {notice !== null && <ErrorNotice error={notice} title={t('Couldn’t add the connector')} />}
        <Radio.Group label={t('Where do you sell?')} value={id} onChange={choose}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} mt="xs">
            {shopChoices.map((each) => (
              <Radio key={each.id} value={each.id} label={t(each.name)} description={t(each.about)} />
            ))}
          </SimpleGrid>
        </Radio.Group>
        {choice?.option !== undefined && (
          <Checkbox
            label={t(choice.option.label)}
            checked={isOption}
            onChange={({ currentTarget: { checked } }) => setOption(checked)}
          />
        )}
        <TextInput
          label={t('Name')}
          name="name"
          autoComplete="off"
          description={t('Shown in lists and in the audit log.')}
          required
          maxLength={100}
          data-autofocus
          value={name}
          error={errors.name}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        {needsAppId && (
          <AppIdInput name="steamAppId" value={appId} error={errors.steamAppId} onChange={setAppId} />
        )}
        {groups.length > 1 && (
          <NativeSelect
            label={t('Creator group')}
            description={t('Purchases credit creators in this group.')}
            data={[
              { value: '', label: t('Default group') },
              ...groups.map((group) => ({ value: group.groupId, label: group.name })),
            ]}
            value={groupId}
            onChange={({ currentTarget: { value } }) => setGroupId(value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Add connector')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
