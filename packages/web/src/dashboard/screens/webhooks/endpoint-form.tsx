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
import { useComplete } from '../../../ui/use-complete.ts';
import { usePublisher } from '../../session/session.ts';
import { useAskAgain } from './use-endpoints.ts';
import { kindName } from './words.ts';

interface EndpointFormProps {
  opened: boolean;
  onClose(): void;
  /** All that an endpoint may be told of. */
  kinds: readonly string[];
  /** What is changed; null for a new one. */
  endpoint: WebhookEndpoint | null;
}

const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:\/\//i.test(url);

type Events = NonNullable<WebhookEndpointChanges['events']>;

/** What everybody wants to know first. */
const usual = ['Bounty/BountyReward', 'GroupManagement/NewMember', 'GroupManagement/RemovedMember'];

/** Adds an endpoint, whose secret is then shown once, or changes one. */
export function EndpointForm(props: EndpointFormProps) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const [made, setMade] = useState<{ secret: string; endpointId: string } | null>(null);
  return (
    <>
      <Dialog
        opened={props.opened}
        onClose={props.onClose}
        title={props.endpoint === null ? t('Add an endpoint') : t('Change the endpoint')}
        size="lg"
      >
        {props.opened && <Fields {...props} onMade={setMade} />}
      </Dialog>
      <ShownOnce
        title={t('The endpoint’s secret')}
        secret={made?.secret ?? null}
        onClose={(how) => {
          if (made !== null && how === 'kept')
            void navigate({
              to: `/p/$publisherId/webhooks/${made.endpointId}`,
              params: { publisherId } as never,
            });
          setMade(null);
        }}
      >
        {t('Your server verifies each request with it. Next: send a test, and see what your server answers.')}
      </ShownOnce>
    </>
  );
}

interface FieldsProps extends EndpointFormProps {
  onMade(made: { secret: string; endpointId: string }): void;
}

function Fields({ endpoint, kinds, onClose, onMade }: FieldsProps) {
  const { publisherId } = usePublisher();
  const askAgain = useAskAgain();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? usual);
  const [version, setVersion] = useState(endpoint?.version);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useUnsaved({ url, events });
  const body = { url: url.trim(), events: events as Events };
  const { errors, check } = useComplete({
    url: isAddress(body.url) ? null : t('Enter an address such as https://game.example/webhooks.'),
    events: events.length === 0 ? t('Choose at least one.') : null,
  });
  const save = async (): Promise<void> => {
    if (endpoint === null) {
      const { data } = await createEndpoint({ path: { publisherId }, body, throwOnError: true });
      warn(data.warning);
      onMade(data);
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
    await askAgain();
  };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await save().catch(setError);
    setBusy(false);
  };
  const isLate = endpoint !== null && codeOf(error) === 'Conflict' && version !== endpoint.version;
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
        {endpoint !== null && codeOf(error) === 'Conflict' && (
          <Theirs endpoint={endpoint} onTake={() => setVersion(endpoint.version)} isTaken={!isLate} />
        )}
        <TextInput
          label={t('Address')}
          description={t('Requests go there by POST. It must answer 200 within 15 seconds.')}
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
          label={t('Told of')}
          description={t('What happens from now on; nothing of before.')}
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
            {t('Leave it')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {endpoint === null ? t('Add') : t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TheirsProps {
  endpoint: WebhookEndpoint;
  isTaken: boolean;
  onTake(): void;
}

/** Somebody was faster: what they made of it, beside what is typed here. */
function Theirs({ endpoint: { url, events }, isTaken, onTake }: TheirsProps) {
  return (
    <Alert color="yellow" title={t('What it is now')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{url}</Text>
        <Text size="sm">{events.map(kindName).join(', ')}</Text>
        <Button size="xs" variant="default" onClick={onTake} disabled={isTaken}>
          {t('I have seen it; save mine')}
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
