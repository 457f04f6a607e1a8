import { Anchor, Code } from '@mantine/core';
import type { Installation as Installed } from '../../../client/types.gen.ts';
import { Facts } from '../../../ui/facts.tsx';
import { t } from '../../../ui/text.ts';
import { Section } from './section.tsx';

/** What the program itself is set to, by its environment. */
export function Installation({ installation }: { installation: Installed }) {
  const { version, publicUrl, mailFrom, provider, reference, webhookKeepDays, allowsPrivateWebhooks } =
    installation;
  return (
    <Section
      title={t('This installation')}
      about={t('Set in the environment of the program by whoever runs it; here to be read.')}
    >
      <Facts
        facts={[
          [t('Version'), version],
          [
            t('Address'),
            publicUrl ?? (
              <>
                {t('this machine alone; other people need')} <Code>PUBLIC_URL</Code>
              </>
            ),
          ],
          [
            t('Mail'),
            mailFrom === null ? (
              <>
                {t('none: invitations are links to hand on. Mail needs')} <Code>SMTP_URL</Code>
              </>
            ) : (
              t('from {mailFrom}', { mailFrom })
            ),
          ],
          [
            t('Single sign-on'),
            provider === null ? (
              <>
                {t('none; it needs')} <Code>OIDC_ISSUER</Code>
              </>
            ) : (
              `${provider.name} (${provider.issuer})`
            ),
          ],
          [
            t('Webhook events are kept'),
            t('{days, plural, one {# day} other {# days}}', { days: webhookKeepDays }),
          ],
          [t('Webhooks to private addresses'), allowsPrivateWebhooks ? t('allowed') : t('refused')],
          [
            t('Reference of the API'),
            reference ? (
              <Anchor key="docs" size="sm" href="/docs" target="_blank" rel="noreferrer">
                {t('Open it')}
              </Anchor>
            ) : (
              t('served at another address')
            ),
          ],
        ]}
      />
    </Section>
  );
}
