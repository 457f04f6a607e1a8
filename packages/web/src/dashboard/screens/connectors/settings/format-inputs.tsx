import { Fieldset, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { GenericSettings } from '../../../../client/types.gen.ts';
import { t } from '../../../../ui/text.ts';
import { presetName } from '../shops.ts';
import { useConnectors } from '../use-connectors.ts';
import { type FormatField, formatSections, maxLengthOf, shownFormat } from './format-fields.ts';
import { formatFieldName, type SettingsFields } from './settings-input.ts';

type Format = SettingsFields['format'];

interface FormatInputsProps {
  format: Format;
  errors: Readonly<Partial<Record<string, ReactNode>>>;
  onChange(format: Format): void;
}

/** Fields for the format of a shop's events. Those that are empty have the preset's values. */
export function FormatInputs({ format, errors, onChange }: FormatInputsProps) {
  const presets = useConnectors().data?.presets ?? [];
  const settings = presets.find(({ id }) => id === (format.preset || 'own'))?.settings ?? {};
  return (
    <>
      <NativeSelect
        label={t('Preset')}
        description={t('Empty fields use the preset’s values, shown in gray.')}
        name="preset"
        data={presets.map(({ id }) => ({ value: id === 'own' ? '' : id, label: presetName(id) }))}
        value={format.preset}
        onChange={({ currentTarget: { value: preset } }) => onChange({ ...format, preset })}
      />
      {formatSections.map(({ title, about, fields }) => (
        <Fieldset key={title} legend={t(title)}>
          {about !== undefined && (
            <Text size="sm" c="dimmed" mb="xs">
              {t(about)}
            </Text>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {fields.map((field) => (
              <FormatInput
                key={field.name}
                field={field}
                preset={settings}
                value={format[field.name]}
                error={errors[formatFieldName(field.name)]}
                onChange={(value) => onChange({ ...format, [field.name]: value })}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      ))}
    </>
  );
}

interface FormatInputProps {
  field: FormatField;
  preset: GenericSettings;
  value: string;
  error: ReactNode;
  onChange(value: string): void;
}

function FormatInput({ field, preset, value, error, onChange }: FormatInputProps) {
  const { name, label, about, kind } = field;
  const ofPreset = preset[name] ?? '';
  const input = {
    label: t(label),
    name: formatFieldName(name),
    value,
    error,
    ...(about !== undefined && { description: t(about) }),
    // With its description below, each input of a row is at the same height.
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  if (typeof kind === 'string')
    return (
      <TextInput
        {...input}
        placeholder={ofPreset}
        maxLength={maxLengthOf(field)}
        autoComplete="off"
        spellCheck={false}
      />
    );
  return (
    <NativeSelect
      {...input}
      data={[
        { value: '', label: t('Preset: {value}', { value: shownFormat(field, ofPreset) }) },
        ...kind.map(([each, text]) => ({ value: each, label: t(text) })),
      ]}
    />
  );
}
