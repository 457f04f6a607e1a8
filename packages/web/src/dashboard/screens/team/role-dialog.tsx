import { Button, Group, Select } from '@mantine/core';
import { changeRole, listStaff } from '../../../client/sdk.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { t } from '../../../ui/text.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import type { Person } from './person.ts';
import { roleOption } from './role-option.tsx';
import { type Role, roleChoices, roleWord } from './role-words.ts';

interface RoleDialogProps {
  person: Person;
  onClose(): void;
  onChanged(name: string, role: Role): Promise<void>;
}

export const RoleDialog = (props: RoleDialogProps) => (
  <Dialog opened onClose={props.onClose} title={t('Change {name}’s role', { name: props.person.name })}>
    <Form {...props} />
  </Dialog>
);

function Form({ person, onClose, onChanged }: RoleDialogProps) {
  const { publisherId } = usePublisher();
  const edit = useVersionedEdit({
    thing: person,
    fieldsOf: ({ role }) => ({ role }),
    describe: ({ role }) => [[t('Role'), roleWord(role)]],
    read: ({ role }) => role as Role,
    async save(role, over) {
      const { data } = await changeRole({
        path: { publisherId, userId: over.userId },
        body: { role, version: over.version },
        throwOnError: true,
      });
      return { ...over, role, ...data };
    },
    async readAgain() {
      const { data } = await listStaff({ path: { publisherId }, throwOnError: true });
      return data.rows.find(({ userId }) => userId === person.userId);
    },
    async onSaved({ name, role: saved }) {
      await onChanged(name, saved as Role);
      onClose();
    },
  });
  const { role } = edit.fields;
  return (
    <VersionedForm edit={edit}>
      <Select
        label={t('Role')}
        data={roleChoices()}
        renderOption={roleOption}
        value={role}
        onChange={(chosen) => chosen !== null && edit.change({ role: chosen })}
        allowDeselect={false}
        data-autofocus
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <SaveButton edit={edit}>{t('Change role')}</SaveButton>
      </Group>
    </VersionedForm>
  );
}
