import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { accentContrast, accentShades, minContrast, nearestAccent } from '../../platform/colors.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { changeBrand } from '../../publishers/brand/change-brand.ts';
import { accentInput, shownContrast } from '../../publishers/brand/check-accent.ts';
import { logoSides, maxLogoBytes } from '../../publishers/brand/check-logo.ts';
import { codeLinkInput } from '../../publishers/brand/code-link.ts';
import { logoPath, readBrand } from '../../publishers/brand/read-brand.ts';
import { adminOperations } from '../admin-operations.ts';
import { provenanceField, provenanceOf } from '../provenance.ts';
import { editedVersion, nullable, versionField } from '../schemas.ts';

const branding = Type.Object(
  {
    publisherId: Type.String(),
    name: Type.String({ description: 'Name shown to creators. To change it, use `putSettings`.' }),
    accent: nullable(
      Type.String({
        description: 'Button color, as `#` and six hexadecimal digits; null for the default color.',
      }),
    ),
    codeLink: nullable(
      Type.String({
        description: 'Address with `{code}` that creators share their codes with; null for none.',
      }),
    ),
    logo: nullable(
      Type.Object(
        {
          path: Type.String({ description: 'Path of the image. No sign-in is required to load it.' }),
          type: Type.String({ description: '`image/png`, `image/jpeg` or `image/webp`.' }),
          width: Type.Integer({ description: 'In pixels.' }),
          height: Type.Integer({ description: 'In pixels.' }),
        },
        { title: 'Logo' },
      ),
    ),
    provenance: provenanceField,
    version: versionField,
    limits: Type.Object(
      {
        bytes: Type.Integer({ description: 'Maximum size of a logo, in bytes.' }),
        minSide: Type.Integer({ description: 'Minimum width and height of a logo, in pixels.' }),
        maxSide: Type.Integer({ description: 'Maximum width and height of a logo, in pixels.' }),
      },
      { title: 'LogoLimits' },
    ),
  },
  { title: 'Branding' },
);

const shades = Type.Object(
  { fill: Type.String(), ink: Type.String() },
  {
    title: 'AccentShades',
    description: 'Fill and text color of a button in one theme, based on the nearest shade.',
  },
);

const checked = Type.Object(
  {
    color: Type.String(),
    passes: Type.Boolean({ description: 'True if the color can be saved as the accent.' }),
    contrast: Type.Number({ description: 'Contrast with white, 1 to 21, rounded down.' }),
    minContrast: Type.Number(),
    nearest: Type.String({ description: 'Nearest shade that passes; the color itself if it passes.' }),
    light: shades,
    dark: shades,
  },
  { title: 'CheckedAccent' },
);

/**
 * Maximum length of a base64 logo. Slightly above the real limit, so that a logo just over it gets the error
 * that states the limit.
 */
const maxLogoCharacters = 1_000_000;

export function brandingRoutes(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Settings');
  operation(
    ['get', '/publishers/:publisherId/branding', 'getBranding'],
    { may: 'read', summary: "Get the publisher's accent, link for codes and logo", answer: branding },
    ({ params }) => show(db, params.publisherId),
  );

  operation(
    ['put', '/publishers/:publisherId/branding', 'putBranding'],
    {
      may: 'team',
      summary: 'Set or remove the accent, the link for codes and the logo',
      body: Type.Object(
        {
          version: editedVersion,
          accent: Type.Optional(nullable(accentInput)),
          codeLink: Type.Optional(nullable(codeLinkInput)),
          logo: Type.Optional(
            nullable(
              Type.String({
                maxLength: maxLogoCharacters,
                description: `PNG, JPEG or WebP image in base64, at most ${maxLogoBytes / 1_024} kB, with ${logoSides.min} to ${logoSides.max} pixels per side. Null removes the logo.`,
              }),
            ),
          ),
        },
        closed,
      ),
      answer: branding,
    },
    async ({ params: { publisherId }, body, actor }) => {
      await changeBrand(db, actor, { ...body, publisherId });
      return await show(db, publisherId);
    },
  );

  operation(
    ['get', '/publishers/:publisherId/branding/accent', 'checkAccent'],
    {
      may: 'read',
      summary: "Check a color's contrast, and find the nearest shade that can be the accent",
      query: { color: accentInput },
      answer: checked,
    },
    ({ query }) => {
      const color = query.color.toLowerCase();
      const nearest = nearestAccent(color);
      return {
        color,
        passes: accentContrast(color) >= minContrast,
        contrast: shownContrast(color),
        minContrast,
        nearest,
        ...accentShades(nearest),
      };
    },
  );
}

async function show(db: Db, publisherId: string) {
  const { logo, ...brand } = await readBrand(db, publisherId);
  const provenance = await provenanceOf(db, publisherId, `publisher:${publisherId}`);
  return {
    publisherId,
    ...brand,
    logo: logo && {
      path: logoPath(publisherId, logo),
      type: logo.type,
      width: logo.width,
      height: logo.height,
    },
    provenance,
    limits: { bytes: maxLogoBytes, minSide: logoSides.min, maxSide: logoSides.max },
  };
}
