import { Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { checkAccentOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { getBranding, putBranding } from '../../../client/sdk.gen.ts';
import type { Branding as BrandingData, Logo } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { accent as productAccent } from '../../../ui/theme/tokens.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { AccentField } from './accent-field.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { type ChosenLogo, LogoField } from './logo-field.tsx';
import { Section } from './section.tsx';

/** Product's default accent, shade 7. */
const ownAccent = productAccent[7] ?? '';

export function Branding({ branding }: { branding: BrandingData }) {
  const { may } = usePublisher();
  return (
    <Section
      title={t('Branding')}
      about={t(
        'How your program looks to creators in emails and the portal. Both show the publisher’s name.',
      )}
    >
      {may('team') ? <Form branding={branding} /> : <Shown branding={branding} />}
    </Section>
  );
}

function Shown({ branding: { name, accent, codeLink, logo } }: { branding: BrandingData }) {
  const shades = useShades(accent ?? ownAccent);
  return (
    <Stack>
      <Facts
        facts={[
          [t('Accent'), accent === null ? t('Default') : <Code key="accent">{accent}</Code>],
          [t('Logo'), logo === null ? t('None') : sizeOf(logo)],
          [t('Code link'), codeLink ?? t('None')],
        ]}
      />
      <BrandPreview name={name} logo={shownLogo(logo)} shades={shades.data} />
    </Stack>
  );
}

const sizeOf = ({ width, height }: Pick<Logo, 'width' | 'height'>): string =>
  t('{width} × {height} pixels', { width: String(width), height: String(height) });

const shownLogo = (logo: Logo | null): ChosenLogo | null =>
  logo && { url: logo.path, width: logo.width, height: logo.height, base64: null };

const hex = /^#[0-9a-f]{6}$/;

/** Reads an accent as typed. @returns null for the product's default accent; undefined if the text is not a color */
function readAccent(typed: string): string | null | undefined {
  const text = typed.trim().toLowerCase();
  if (text === '') return null;
  const color = text.startsWith('#') ? text : `#${text}`;
  return hex.test(color) ? color : undefined;
}

/**
 * The service computes contrasts and shades, because it also enforces them. The previous shades stay visible until the
 * new ones arrive.
 */
function useShades(color: string | undefined) {
  const { publisherId } = usePublisher();
  return useQuery({
    ...checkAccentOptions({ path: { publisherId }, query: { color: color ?? ownAccent } }),
    enabled: color !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
}

function Form({ branding }: { branding: BrandingData }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [logoProblem, setLogoProblem] = useState<string | null>(null);
  const path = { publisherId };
  const edit = useVersionedEdit({
    thing: branding,
    fieldsOf: ({ accent, codeLink, logo }) => ({
      accent: accent ?? '',
      codeLink: codeLink ?? '',
      logo: shownLogo(logo),
    }),
    describe: ({ accent, codeLink, logo }) => [
      [t('Accent'), accent.trim() || t('Default')],
      [t('Code link'), codeLink.trim() || t('None')],
      [t('Logo'), logo === null ? t('None') : sizeOf(logo)],
    ],
    read({ accent, codeLink, logo }) {
      const color = readAccent(accent);
      return color === undefined ? null : { accent: color, codeLink: codeLink.trim() || null, logo };
    },
    comparable: ({ accent, codeLink, logo }) => [
      readAccent(accent) ?? accent.trim(),
      codeLink.trim(),
      logo?.url ?? null,
    ],
    save: async ({ accent, codeLink, logo }, { version }) => {
      // An unchanged logo is not sent again.
      const image = logo === null ? { logo: null } : logo.base64 === null ? {} : { logo: logo.base64 };
      return (await putBranding({ path, body: { version, accent, codeLink, ...image }, throwOnError: true }))
        .data;
    },
    readAgain: async () => (await getBranding({ path, throwOnError: true })).data,
    async onSaved() {
      await refresh(queryClient, 'getBranding', 'listEditsSinceFile');
      announce(t('Saved'));
    },
  });
  const { fields, input, change } = edit;
  const color = readAccent(fields.accent);
  const shades = useShades(color === undefined ? undefined : (color ?? ownAccent));
  const checked = color === undefined || shades.isPlaceholderData ? undefined : shades.data;
  return (
    <VersionedForm edit={edit}>
      <LogoField
        logo={fields.logo}
        limits={branding.limits}
        problem={logoProblem}
        onProblem={setLogoProblem}
        onChange={(logo) => {
          setLogoProblem(null);
          change({ logo });
        }}
      />
      <AccentField
        value={fields.accent}
        ownAccent={ownAccent}
        isColor={color !== undefined}
        checked={checked}
        onChange={(accent) => change({ accent })}
      />
      <TextInput
        label={t('Code link')}
        description={t(
          'Shop page that creators share, with {place} where the code goes. Leave empty to share codes without a link.',
          { place: '{code}' },
        )}
        placeholder={t('For example {example}', { example: 'https://shop.example/?code={code}' })}
        inputMode="url"
        maxLength={500}
        value={fields.codeLink}
        onChange={({ currentTarget }) => change({ codeLink: currentTarget.value })}
      />
      <div>
        <Text size="sm" fw={600} mb="xs">
          {t('Preview')}
        </Text>
        <BrandPreview name={branding.name} logo={fields.logo} shades={shades.data} />
      </div>
      <Group>
        <SaveButton edit={edit} disabled={input === null || checked?.passes === false} />
      </Group>
    </VersionedForm>
  );
}
