import { Group, SegmentedControl, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { useId, useMemo } from 'react';
import { t } from '../../ui/text.ts';
import classes from './choice-fields.module.css';
import {
  type Choice,
  type DigestSubject,
  digestWords,
  type Frequency,
  frequencyOf,
  hourText,
  type ImmediateSubject,
  immediateWords,
  ownZone,
  withFrequency,
  zoneText,
} from './subjects.ts';

interface ChoiceFieldsProps {
  choice: Choice;
  onChange(choice: Choice): void;
  digestSubjects: readonly DigestSubject[];
  immediateSubjects: readonly ImmediateSubject[];
  /** Level of the headings: 2 on a page, 3 in a dialog. */
  level: 2 | 3;
}

/** Fields for the subjects of digests, their time, and the subjects of immediate notifications. */
export function ChoiceFields({
  choice,
  onChange,
  digestSubjects,
  immediateSubjects,
  level,
}: ChoiceFieldsProps) {
  return (
    <Stack gap="lg">
      <Part
        level={level}
        title={t('Digests')}
        about={t('Empty digests aren’t sent. Weekly digests are sent on Mondays.')}
      >
        <Time choice={choice} onChange={onChange} />
        {digestSubjects.map((subject) => (
          <Frequencies
            key={subject}
            subject={subject}
            value={frequencyOf(choice, subject)}
            onChange={(frequency) => onChange(withFrequency(choice, subject, frequency))}
          />
        ))}
      </Part>
      {immediateSubjects.length > 0 && (
        <Part
          level={level}
          title={t('Immediately')}
          about={t(
            'Sent when an incident starts and when it ends. Notifications at the same time are combined.',
          )}
        >
          {immediateSubjects.map((subject) => (
            <Switch
              key={subject}
              label={t(immediateWords[subject].name)}
              description={t(immediateWords[subject].about)}
              checked={choice.immediate.includes(subject)}
              onChange={({ currentTarget: { checked } }) =>
                onChange({
                  ...choice,
                  immediate: [
                    ...choice.immediate.filter((each) => each !== subject),
                    ...(checked ? [subject] : []),
                  ],
                })
              }
            />
          ))}
        </Part>
      )}
    </Stack>
  );
}

interface PartProps {
  level: 2 | 3;
  title: string;
  about: string;
  children: React.ReactNode;
}

function Part({ level, title, about, children }: PartProps) {
  const id = useId();
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <div>
        <Title order={level} size="h4" id={id}>
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </div>
      {children}
    </Stack>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

function Time({ choice, onChange }: Pick<ChoiceFieldsProps, 'choice' | 'onChange'>) {
  const { timeZone, hour } = choice;
  const zones = useMemo(() => {
    const all = new Set([ownZone(), timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')]);
    return [...all].map((zone) => ({ value: zone, label: zoneText(zone) }));
  }, [timeZone]);
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={t('Hour')}
        name="hour"
        data={hours}
        value={String(hour)}
        allowDeselect={false}
        w={110}
        onChange={(value) => onChange({ ...choice, hour: Number(value ?? hour) })}
      />
      <Select
        label={t('Time zone')}
        name="timeZone"
        data={zones}
        value={timeZone}
        searchable
        limit={100}
        allowDeselect={false}
        nothingFoundMessage={t('Unknown time zone')}
        className={classes.zone ?? ''}
        onChange={(value) => onChange({ ...choice, timeZone: value ?? timeZone })}
      />
    </Group>
  );
}

interface FrequenciesProps {
  subject: DigestSubject;
  value: Frequency;
  onChange(frequency: Frequency): void;
}

function Frequencies({ subject, value, onChange }: FrequenciesProps) {
  const { name, about } = digestWords[subject];
  return (
    <div className={classes.subject}>
      <div>
        <Text size="sm">{t(name)}</Text>
        <Text size="xs" c="dimmed">
          {t(about)}
        </Text>
      </div>
      <SegmentedControl
        size="xs"
        aria-label={t('Digest of {subject}', { subject: t(name) })}
        data={[
          { value: 'off', label: t('Off') },
          { value: 'daily', label: t('Daily') },
          { value: 'weekly', label: t('Weekly') },
        ]}
        value={value}
        onChange={(chosen) => onChange(chosen as Frequency)}
      />
    </div>
  );
}
