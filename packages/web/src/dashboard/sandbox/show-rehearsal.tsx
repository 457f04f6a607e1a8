import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { hideRehearsalMutation } from '../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { Section } from '../screens/settings/section.tsx';
import { meOptions, usePublisher } from '../session/session.ts';

/** Section that shows the guide to the payout rehearsal again after the person has hidden it. */
export function ShowRehearsal() {
  const { publisherId, rehearses } = usePublisher();
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    ...hideRehearsalMutation(),
    onSuccess: () => client.fetchQuery({ ...meOptions, staleTime: 0 }),
  });
  return (
    <Section title={t('Rehearse your first payout')}>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t show the rehearsal')} />}
      {rehearses ? (
        <Text size="sm">{t('Walks you through your first payout, at the top of every screen.')}</Text>
      ) : (
        <Button
          variant="default"
          loading={isPending}
          onClick={() => mutate({ path: { publisherId }, body: { isHidden: false } })}
        >
          {t('Show rehearsal')}
        </Button>
      )}
    </Section>
  );
}
