import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { changeEndpoint, createEndpoint } from '../../../client/sdk.gen.ts';
import type { WebhookEndpoint, WebhookEndpointChanges } from '../../../client/types.gen.ts';
import { codeOf } from '../../../ui/api-failure.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';
import { kindName } from './words.ts';

interface EndpointFormProps {
  opened: boolean;
  onClose(): void;
  /** Kinds of events that an endpoint can receive. */
  kinds: readonly string[];
  /** Endpoint to edit; null for a new one. */
  endpoint: WebhookEndpoint | null;
}

const isWebUrl = (url: string): boolean => URL.canParse(url) && /^https?:\/\//i.test(url);

type Events = NonNullable<WebhookEndpointChanges['events']>;

/** Events preselected for a new endpoint. */
const defaultEvents = ['Bounty/BountyReward', 'GroupManagement/NewMember', 'GroupManagement/RemovedMember'];

/** Dialog that edits an endpoint, or adds one and then shows its secret once. */
export function EndpointForm(props: EndpointFormProps) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ secret: string; endpointId: string } | null>(null);
  return (
    <>
      <Dialog
        opened={props.opened}
        onClose={props.onClose}
        title={props.endpoint === null ? t('Add endpoint') : t('Edit endpoint')}
        size="lg"
      >
        {props.opened && <Fields {...props} onCreated={setCreated} />}
      </Dialog>
      <ShownOnce
        title={t('Endpoint secret')}
        secret={created?.secret ?? null}
        onClose={(how) => {
          if (created !== null && how === 'saved')
            void navigate({
              to: `/p/$publisherId/webhooks/${created.endpointId}`,
              params: { publisherId } as never,
            });
          setCreated(null);
        }}
      >
        {t(
          'Your server verifies each request with this secret. Next, send a test and check your server’s response.',
        )}
      </ShownOnce>
    </>
  );
}

interface FieldsProps extends EndpointFormProps {
  onCreated(created: { secret: string; endpointId: string }): void;
}

function Fields({ endpoint, kinds, onClose, onCreated }: FieldsProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? defaultEvents);
  const [version, setVersion] = useState(endpoint?.version);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useUnsaved({ url, events });
  const body = { url: url.trim(), events: events as Events };
  const { errors, check } = useFormErrors({
    url: isWebUrl(body.url) ? null : t('Enter a URL, such as https://game.example/webhooks.'),
    events: events.length === 0 ? t('Choose at least one event.') : null,
  });
  const save = async (): Promise<void> => {
    if (endpoint === null) {
      const { data } = await createEndpoint({ path: { publisherId }, body, throwOnError: true });
      warn(data.warning);
      onCreated(data);
    } else {
      const path = { publisherId, endpointId: endpoint.endpointId };
      const { data } = await changeEndpoint({
        path,
        body: { ...body, ...(version !== undefined && { version }) },
        throwOnError: true,
      });
      warn(data.warning);
    }
    onClose();
    await reload();
  };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await save().catch(setError);
    setBusy(false);
  };
  const isLate = endpoint !== null && codeOf(error) === 'Stale' && version !== endpoint.version;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && !isBusy) void submit();
      }}
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} />}
        {endpoint !== null && codeOf(error) === 'Stale' && (
          <SavedEndpoint endpoint={endpoint} onTake={() => setVersion(endpoint.version)} isTaken={!isLate} />
        )}
        <TextInput
          label={t('URL')}
          description={t('Receives POST requests and must respond with status 200 within 15 seconds.')}
          placeholder="https://game.example/webhooks"
          type="url"
          name="url"
          required
          data-autofocus
          value={url}
          error={errors.url}
          onChange={({ currentTarget: { value } }) => setUrl(value)}
        />
        <Checkbox.Group
          label={t('Events')}
          description={t('Only new events are sent.')}
          value={events}
          error={errors.events}
          onChange={setEvents}
        >
          <Stack gap={6} mt="xs">
            {kinds.map((kind) => (
              <Checkbox key={kind} name="events" value={kind} label={kindName(kind)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {endpoint === null ? t('Add endpoint') : t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface SavedEndpointProps {
  endpoint: WebhookEndpoint;
  isTaken: boolean;
  onTake(): void;
}

/** Saved version of the endpoint, shown after a stale edit. */
function SavedEndpoint({ endpoint: { url, events }, isTaken, onTake }: SavedEndpointProps) {
  return (
    <Alert color="yellow" title={t('Saved version')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{url}</Text>
        <Text size="sm">{events.map(kindName).join(', ')}</Text>
        <Button size="xs" variant="default" onClick={onTake} disabled={isTaken}>
          {t('Replace with my changes')}
        </Button>
      </Stack>
    </Alert>
  );
}

function warn(warning: string | null): void {
  if (warning !== null)
    notifications.show({
      color: 'yellow',
      message: t('Saved. {warning}', { warning }),
      autoClose: 15_000,
      closeButtonProps: { 'aria-label': t('Close') },
    });
}
