import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { changeRole } from '../../../client/sdk.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';
import type { Person } from './person.ts';
import { roleOption } from './role-option.tsx';
import { type Role, roleChoices } from './role-words.ts';

interface RoleDialogProps {
  person: Person;
  onClose(): void;
  onChanged(): Promise<void>;
}

/** Changes a person's role. A stale edit shows an error with the current role. */
export function RoleDialog({ person, onClose, onChanged }: RoleDialogProps) {
  const { publisherId } = usePublisher();
  const [role, setRole] = useState<string | null>(person.role);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await changeRole({
        path: { publisherId, userId: person.userId },
        body: { role: role as Role, version: person.version },
        throwOnError: true,
      });
      await onChanged();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog opened onClose={onClose} title={t('Role of {name}', { name: person.name })}>
      <Unsaved values={role} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          {error !== null && <ErrorNotice error={error} title={t('Couldn’t change the role')} />}
          <Select
            label={t('Role')}
            data={roleChoices()}
            renderOption={roleOption}
            value={role}
            onChange={setRole}
            allowDeselect={false}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={role === person.role}>
              {t('Change role')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
