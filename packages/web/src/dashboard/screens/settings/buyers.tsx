import { Alert, Stack, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getSettings, putSettings } from '../../../client/sdk.gen.ts';
import type { Settings } from '../../../client/types.gen.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { typedCount } from '../../../ui/typed-total.tsx';
import { usePublisher } from '../../session/session.ts';
import { Section } from './section.tsx';
import { type AskedFirst, VersionedForm } from './versioned-form.tsx';

/** For how long it is kept who bought something. */
export function Buyers({ settings }: { settings: Settings }) {
  const { may } = usePublisher();
  return (
    <Section
      title={t('Buyers')}
      about={t(
        'Each purchase keeps its buyer’s id and name, as your back end sent them. They can be forgotten after some days; the purchase, its shares and every sum stay.',
      )}
    >
      {may('team') ? (
        <Form settings={settings} />
      ) : (
        <Facts facts={[[t('Buyers are forgotten'), inWords(settings.forgetBuyersAfterDays)]]} />
      )}
    </Section>
  );
}

const inWords = (days: number | null): string =>
  days === null ? t('never') : t('{days, plural, one {after # day} other {after # days}}', { days });

const [fewest, most, proposed] = [7, 3_650, 365];
const bounds = { min: BigInt(fewest), max: BigInt(most) };

function Form({ settings }: { settings: Settings }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const before = settings.forgetBuyersAfterDays;
  const [isOn, setOn] = useState(before !== null);
  const [typed, setTyped] = useState(String(before ?? proposed));
  const read = readWhole(typed, bounds).value;
  const days = isOn && read !== null ? Number(read) : null;
  const isGood = !isOn || read !== null;
  return (
    <VersionedForm
      thing={settings}
      isChanged={isGood && days !== before}
      asksFirst={
        isGood && days !== null && (before === null || days < before) ? beforeForgetting(days) : null
      }
      save={(version, { name }) =>
        putSettings({
          path: { publisherId },
          body: { version, name, forgetBuyersAfterDays: days },
          throwOnError: true,
        })
      }
      readAgain={async () => (await getSettings({ path: { publisherId }, throwOnError: true })).data}
      summary={({ name, forgetBuyersAfterDays }) => (
        <Facts
          facts={[
            [t('Name'), name],
            [t('Buyers are forgotten'), inWords(forgetBuyersAfterDays)],
          ]}
        />
      )}
      onSaved={async () => {
        await refresh(queryClient, 'getSettings');
        await refresh(queryClient, 'listEditsSinceFile');
      }}
    >
      <Stack gap="md">
        {settings.provenance?.file && (
          <Alert color="yellow" icon={<Icon name="info" />}>
            {t(
              'The program file {file} has said things of the publisher: applied again, it undoes what you change of them.',
              { file: settings.provenance.file.file },
            )}
          </Alert>
        )}
        <Switch
          label={t('Forget buyers')}
          description={t('Ids and names are blanked here, in the API and in every export from then on.')}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => setOn(checked)}
        />
        {isOn && (
          <WholeInput
            label={t('Days')}
            description={t('After a purchase was recorded; {fewest} to {most}.', { fewest, most })}
            value={typed}
            bounds={bounds}
            maw={420}
            onChange={setTyped}
          />
        )}
      </Stack>
    </VersionedForm>
  );
}

const beforeForgetting = (days: number): AskedFirst => ({
  title: t('Forget buyers after {days, plural, one {# day} other {# days}}?', { days }),
  action: t('Forget them'),
  typed: typedCount(days),
  children: (
    <Stack gap="xs">
      <Text size="sm">
        {t(
          'Within the hour the id and the name of the buyer are blanked on every purchase that is older than that, and from then on each day’s. Nobody finds a purchase by its buyer any more.',
        )}
      </Text>
      <Text size="sm">{t('Shares, payouts and all sums stay as they are.')}</Text>
    </Stack>
  ),
});
