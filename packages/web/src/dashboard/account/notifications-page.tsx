import { Alert, Anchor, Box, Code, Container, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getNotificationsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { getNotifications, putNotifications } from '../../client/sdk.gen.ts';
import type { Notifications } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { refresh } from '../../ui/refresh.ts';
import { LateSkeleton } from '../../ui/skeletons.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { useVersionedEdit } from '../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../ui/versioned-form.tsx';
import { When } from '../../ui/when.tsx';
import { ChoiceFields } from '../notifications/choice-fields.tsx';
import { type Choice, choiceOf, describeChoice, ownZone, sorted } from '../notifications/subjects.ts';
import { useMe } from '../session/session.ts';

/** Form for choosing which emails the signed-in person gets about each publisher. */
export function Page() {
  const me = useMe();
  const { query, setQuery } = useUrlState();
  // A sandbox sends no notifications.
  const publishers = me.publishers.filter(({ sandboxOf, lacks }) => sandboxOf === null && lacks === null);
  const last = localStorage.getItem('attribution-publisher');
  const chosen =
    publishers.find(({ publisherId }) => publisherId === query.publisher) ??
    publishers.find(({ publisherId }) => publisherId === last) ??
    publishers[0];
  useEffect(() => {
    document.title = `${t('Notifications')} · ${t('Creator attribution')}`;
  }, []);
  return (
    <Box component="main" py="xl" px="md">
      <Container size="sm" p={0}>
        <Stack gap="lg">
          <Anchor href={chosen === undefined ? '/' : `/p/${encodeURIComponent(chosen.publisherId)}`}>
            <Group gap={4}>
              <Icon name="left" size={16} />
              {t('Back to the dashboard')}
            </Group>
          </Anchor>
          <Box>
            <Title order={1} size="h2">
              {t('Notifications')}
            </Title>
            <Text c="dimmed">
              {me.email === null ? me.name : t('Emails to {email}', { email: me.email })}
            </Text>
          </Box>
          {publishers.length > 1 && chosen !== undefined && (
            <Select
              label={t('Publisher')}
              maw={360}
              data={publishers.map(({ publisherId, name }) => ({ value: publisherId, label: name }))}
              value={chosen.publisherId}
              allowDeselect={false}
              onChange={(publisher) => setQuery({ publisher })}
            />
          )}
          {chosen === undefined ? (
            <Text>{t('You aren’t on any publisher’s team.')}</Text>
          ) : (
            <Loaded
              key={chosen.publisherId}
              publisherId={chosen.publisherId}
              isOwner={chosen.permissions.includes('team')}
            />
          )}
        </Stack>
      </Container>
    </Box>
  );
}

interface OfPublisher {
  publisherId: string;
  isOwner: boolean;
}

function Loaded({ publisherId, isOwner }: OfPublisher) {
  const { data, error, refetch } = useQuery(getNotificationsOptions({ path: { publisherId } }));
  if (data === undefined)
    return error === null ? (
      <LateSkeleton lines={12} />
    ) : (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the notifications')}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Stack gap="lg">
      {!data.hasMail && <NoMail publisherId={publisherId} isOwner={isOwner} />}
      {data.hasMail && data.lastFailure !== null && <Undelivered reason={data.lastFailure} />}
      <Paper withBorder p="lg" radius="md">
        <Form publisherId={publisherId} saved={data} />
      </Paper>
      {isOwner && data.hasMail && (
        <Text size="sm" c="dimmed">
          {t('For Slack or Discord, add a channel in')}{' '}
          <Anchor size="sm" underline="always" href={`/p/${encodeURIComponent(publisherId)}/settings`}>
            {t('Settings')}
          </Anchor>
          .
        </Text>
      )}
    </Stack>
  );
}

const NoMail = ({ publisherId, isOwner }: OfPublisher) => (
  <Alert color="yellow" icon={<Icon name="alert" />} title={t('This service doesn’t send email yet')}>
    <Text size="sm">
      {t('To turn it on, the operator sets')} <Code>SMTP_URL</Code> {t('and')} <Code>MAIL_FROM</Code>.{' '}
      {t('You can choose now. Your choice applies once email is set up.')}
    </Text>
    {isOwner && (
      <Text size="sm" mt="xs">
        {t('Slack and Discord work without email. Add a channel in')}{' '}
        <Anchor size="sm" underline="always" href={`/p/${encodeURIComponent(publisherId)}/settings`}>
          {t('Settings')}
        </Anchor>
        .
      </Text>
    )}
  </Alert>
);

const Undelivered = ({ reason }: { reason: string }) => (
  <Alert color="yellow" icon={<Icon name="alert" />} title={t('The last email to you couldn’t be delivered')}>
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {reason}
    </Text>
    <Text size="sm" mt="xs">
      {t('Check that your mailbox works. If it does, send this reason to the service’s operator.')}
    </Text>
  </Alert>
);

function Form({ publisherId, saved }: { publisherId: string; saved: Notifications }) {
  const queryClient = useQueryClient();
  const path = { publisherId };
  const edit = useVersionedEdit({
    thing: saved,
    fieldsOf: (thing: Notifications): Choice => choiceOf(thing),
    // A person who has chosen nothing yet gets the browser's time zone.
    proposed: { ...choiceOf(saved), ...(saved.isDefault && { timeZone: ownZone() }) },
    describe: describeChoice,
    comparable: sorted,
    read: (fields) => fields,
    save: async (fields, { version }) =>
      (await putNotifications({ path, body: { version, ...fields }, throwOnError: true })).data,
    readAgain: async () => (await getNotifications({ path, throwOnError: true })).data,
    async onSaved() {
      await refresh(queryClient, 'getNotifications');
      toast(t('Notifications saved'));
    },
  });
  const { fields, setFields } = edit;
  return (
    <VersionedForm edit={edit}>
      <ChoiceFields
        choice={fields}
        onChange={setFields}
        digestSubjects={saved.digestSubjects}
        immediateSubjects={saved.immediateSubjects}
        level={2}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          <Next label={t('Next daily digest:')} at={saved.nextDailyAt} />
          <Next label={t('Next weekly digest:')} at={saved.nextWeeklyAt} />
        </Text>
        <SaveButton edit={edit} />
      </Group>
    </VersionedForm>
  );
}

const Next = ({ label, at }: { label: string; at: string | null }) =>
  at === null ? null : (
    <span style={{ display: 'block' }}>
      {label} <When at={at} />
    </span>
  );
