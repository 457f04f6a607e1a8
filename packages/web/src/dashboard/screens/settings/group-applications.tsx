import { Anchor, Group, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getGroupApplicationsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { getGroupApplications, putGroupApplications } from '../../../client/sdk.gen.ts';
import type { GroupApplications as Applications, CreatorGroup } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { refresh } from '../../../ui/refresh.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { areValid, useFormErrors } from '../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { formatWhen } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';

/** Part of a group's settings with which creators can apply to it in the portal. */
export function GroupApplications({ group }: { group: CreatorGroup }) {
  const { publisherId, may } = usePublisher();
  const path = { publisherId, groupId: group.groupId };
  const { data, error, refetch } = useQuery(getGroupApplicationsOptions({ path }));
  return (
    <Stack gap="sm" component="section" aria-label={t('Applications')}>
      <Title order={3} size="h5">
        {t('Applications')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('Creators apply on a page in the portal. They stay Pending until you approve them.')}
      </Text>
      {error !== null && (
        <ErrorNotice
          error={error}
          title={t('Couldn’t load the applications')}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined ? (
        error === null && <LateSkeleton lines={6} />
      ) : (
        <>
          <PageLink settings={data} />
          {may('program') ? <Form settings={data} group={group} /> : <Facts facts={factsOf(data)} />}
        </>
      )}
    </Stack>
  );
}

/** Link to give to creators. */
function PageLink({ settings: { url, isOpen, undecided } }: { settings: Applications }) {
  if (url === null)
    return (
      <Text size="sm">
        {t('The portal is off, so creators can’t apply. Ask the service’s operator to turn it on.')}
      </Text>
    );
  return (
    <Stack gap={4}>
      {isOpen && (
        <Group gap={4} wrap="nowrap">
          <Anchor href={url} size="sm" underline="always" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Anchor>
          <CopyButton value={url} label={t('Copy application link')} icon="link" />
        </Group>
      )}
      <Text size="sm">
        {t(
          '{undecided, plural, =0 {No applications are pending.} one {# application is pending.} other {# applications are pending.}}',
          {
            undecided,
          },
        )}
      </Text>
    </Stack>
  );
}

const factsOf = ({ isOpen, terms, maxPending, reservedCodes }: Applications): [string, string][] => [
  [t('Accept applications'), isOpen ? t('Yes') : t('No')],
  [t('Terms'), terms?.text ?? t('None')],
  [t('Maximum pending applications'), String(maxPending)],
  [t('Reserved codes'), reservedCodes.join(', ') || t('None')],
];

interface Fields {
  isOpen: boolean;
  terms: string;
  maxPending: string;
  reservedCodes: string;
}

const bounds = { min: 1n, max: 10_000n };
const codePattern = /^[A-Za-z0-9_-]{2,32}$/;

const codesIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter((code) => code !== '');

function problemsOf({ isOpen, terms, maxPending, reservedCodes }: Fields) {
  const wrong = codesIn(reservedCodes).find((code) => !codePattern.test(code));
  return {
    terms: isOpen && terms.trim() === '' ? t('Terms are required.') : null,
    maxPending: readWhole(maxPending, bounds).value === null ? t('Enter a number from 1 to 10,000.') : null,
    reservedCodes:
      wrong === undefined
        ? null
        : t('{wrong} isn’t a valid code. Codes have 2 to 32 letters, digits, _ and -.', { wrong }),
  };
}

function Form({ settings, group: { groupId, name } }: { settings: Applications; group: CreatorGroup }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const path = { publisherId, groupId };
  const edit = useVersionedEdit({
    thing: settings,
    fieldsOf: ({ isOpen, terms, maxPending, reservedCodes }): Fields => ({
      isOpen,
      terms: terms?.text ?? '',
      maxPending: String(maxPending),
      reservedCodes: reservedCodes.join(', '),
    }),
    describe: ({ isOpen, terms, maxPending, reservedCodes }) => [
      [t('Accept applications'), isOpen ? t('Yes') : t('No')],
      [t('Terms'), terms.trim()],
      [t('Maximum pending applications'), maxPending],
      [t('Reserved codes'), codesIn(reservedCodes).join(', ')],
    ],
    read: (fields) =>
      areValid(problemsOf(fields))
        ? {
            open: fields.isOpen,
            ...(fields.terms.trim() !== '' && { terms: fields.terms.trim() }),
            maxPending: Number(readWhole(fields.maxPending, bounds).value),
            reservedCodes: codesIn(fields.reservedCodes),
          }
        : null,
    save: async (input, { version }) =>
      (await putGroupApplications({ path, body: { version, ...input }, throwOnError: true })).data,
    readAgain: async () => (await getGroupApplications({ path, throwOnError: true })).data,
    async onSaved(saved, undo) {
      await refresh(queryClient, 'getGroupApplications', 'listEditsSinceFile');
      toast(
        saved.isOpen
          ? t('{name} now accepts applications', { name })
          : t('{name} doesn’t accept applications', { name }),
        undo,
      );
    },
  });
  const { fields, change } = edit;
  const { errors, check } = useFormErrors(problemsOf(fields));
  return (
    <VersionedForm edit={edit} check={check}>
      <Switch
        label={t('Accept applications')}
        description={t('Turning this off doesn’t affect applications already sent.')}
        checked={fields.isOpen}
        onChange={({ currentTarget: { checked } }) => change({ isOpen: checked })}
      />
      <Textarea
        label={t('Terms')}
        name="terms"
        description={termsNote(settings)}
        maxLength={20_000}
        autosize
        minRows={4}
        maxRows={14}
        value={fields.terms}
        error={errors.terms}
        onChange={({ currentTarget: { value } }) => change({ terms: value })}
      />
      <WholeInput
        label={t('Maximum pending applications')}
        description={t('New applications are blocked once this many are pending.')}
        value={fields.maxPending}
        bounds={bounds}
        onChange={(maxPending) => change({ maxPending })}
      />
      <TextInput
        label={t('Reserved codes')}
        name="reservedCodes"
        description={t('Applicants can’t request these. Separate them with commas, such as admin, official.')}
        value={fields.reservedCodes}
        error={errors.reservedCodes}
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => change({ reservedCodes: value })}
      />
      <Group>
        <SaveButton edit={edit}>{t('Update application settings')}</SaveButton>
      </Group>
    </VersionedForm>
  );
}

const termsNote = ({ terms }: Applications): string =>
  terms === null
    ? t('Plain text that applicants must accept. Mention the minimum age.')
    : t('Version {version}, {day}. Saving different text creates a new version. Earlier versions are kept.', {
        version: terms.version,
        day: formatWhen(terms.createdAt, 'viewer', 'day'),
      });
