import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { listInvitationsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { invite } from '../../../client/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useKeys } from '../../../ui/keys.ts';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { emailError } from '../../session/field-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { type Role, roleAbout, roleChoices } from './role-words.ts';
import { ShownOnce } from './shown-once.tsx';

/** Button that invites a person by email, or with a link to pass on. */
export function InviteButton() {
  const [isOpen, setOpen] = useState(false);
  useLinkedAction('add', () => setOpen(true));
  useKeys({ c: () => setOpen(true) });
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen(true)}>
        {t('Invite')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('Invite colleague')}>
        {isOpen && <InviteForm onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

const isLocal = (url: string): boolean => ['localhost', '127.0.0.1'].includes(new URL(url).hostname);

interface Sent {
  email: string;
  url: string | null;
}

export function InviteForm({ onClose }: { onClose(): void }) {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const [sent, setSent] = useState<Sent | null>(null);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const settle = useUnsaved({ email, role });
  const { errors, check } = useFormErrors({ email: emailError(email) });
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget) || isBusy) return;
    void run(async () => {
      const body = { email: email.trim(), role };
      const { data } = await invite({ path: { publisherId }, body, throwOnError: true });
      settle();
      setSent(data);
      announce(t('Invited {email}', { email: data.email }));
      await client.invalidateQueries({
        queryKey: listInvitationsOptions({ path: { publisherId } }).queryKey,
      });
    });
  };
  if (sent?.url)
    return (
      <ShownOnce
        about={t(
          'This service doesn’t send email. Send this link to {email} yourself. It works once and expires in seven days.',
          {
            email: sent.email,
          },
        )}
        hint={
          isLocal(sent.url) &&
          t('The link points to this machine. To let others open it, start the service with PUBLIC_URL.')
        }
        value={sent.url}
        copy={t('Copy link')}
        onClose={onClose}
      />
    );
  if (sent !== null)
    return (
      <Stack>
        <Text>
          {t('A link is on its way to {email}. It works once and expires in seven days.', {
            email: sent.email,
          })}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    );
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t send the invitation')} />}
        <TextInput
          label={t('Email')}
          type="email"
          name="email"
          required
          data-autofocus
          autoComplete="off"
          value={email}
          error={errors.email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
        />
        {/* All roles are visible, so that a person compares them and chooses with one click. */}
        <Radio.Group label={t('Role')} value={role} onChange={(value) => setRole(value as Role)}>
          <Stack gap="xs" mt={4}>
            {roleChoices().map(({ value, label }) => (
              <Radio key={value} value={value} label={label} description={roleAbout(value)} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Invite')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
