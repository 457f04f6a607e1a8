import type { CheckedAccent } from '../../../client/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { dark, gray } from '../../../ui/theme/tokens.ts';
import classes from './branding.module.css';
import type { ChosenLogo } from './logo-field.tsx';

interface BrandPreviewProps {
  name: string;
  logo: ChosenLogo | null;
  /** Undefined until the shades have loaded. */
  shades: CheckedAccent | undefined;
}

const schemes = [
  {
    name: 'light',
    page: gray[1],
    card: 'var(--mantine-color-white)',
    line: gray[3],
    ink: gray[9],
    quiet: gray[7],
  },
  { name: 'dark', page: dark[7], card: dark[6], line: dark[4], ink: dark[0], quiet: dark[1] },
] as const;

/** Previews the top of an email and of the portal in both themes, regardless of the dashboard's theme. */
export function BrandPreview({ name, logo, shades }: BrandPreviewProps) {
  return (
    <div className={classes.previews}>
      {schemes.map((scheme) => {
        const { fill, ink } = shades?.[scheme.name] ?? { fill: scheme.quiet, ink: scheme.card };
        const isDark = scheme.name === 'dark';
        const face = <Face name={name} logo={logo} ink={scheme.ink} hasPlate={isDark} />;
        const button = { background: fill, color: ink };
        const card = { background: scheme.card, borderColor: scheme.line, color: scheme.ink };
        return (
          <div key={scheme.name} className={classes.page} style={{ background: scheme.page }}>
            <figure className={classes.figure}>
              <figcaption style={{ color: scheme.quiet }}>
                {isDark ? t('Email, dark') : t('Email, light')}
              </figcaption>
              <div className={classes.card} style={card}>
                <div className={classes.bar} style={{ background: fill }} />
                <div className={classes.mail}>
                  {face}
                  <strong>{t('You’re invited to join {name}', { name })}</strong>
                  <span className={classes.button} style={button}>
                    {t('Accept invitation')}
                  </span>
                </div>
              </div>
            </figure>
            <figure className={classes.figure}>
              <figcaption style={{ color: scheme.quiet }}>
                {isDark ? t('Portal, dark') : t('Portal, light')}
              </figcaption>
              <div className={classes.card} style={card}>
                <div className={classes.portal}>
                  {face}
                  <span className={classes.button} style={button}>
                    {t('Copy code')}
                  </span>
                </div>
              </div>
            </figure>
          </div>
        );
      })}
    </div>
  );
}

interface FaceProps {
  name: string;
  logo: ChosenLogo | null;
  ink: string | undefined;
  hasPlate: boolean;
}

/**
 * In the dark theme, the logo is on a white plate, as in emails (mail/html-of.ts), because many logos are designed for
 * a white page.
 */
const Face = ({ name, logo, ink, hasPlate }: FaceProps) =>
  logo === null ? (
    <span className={classes.name} style={{ color: ink }}>
      {name}
    </span>
  ) : (
    <img
      className={classes.logo}
      data-plate={hasPlate || undefined}
      src={logo.url}
      alt={name}
      width={logo.width}
      height={logo.height}
    />
  );
