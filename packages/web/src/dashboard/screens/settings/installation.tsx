import { Anchor, Code } from '@mantine/core';
import type { Installation as Installed } from '../../../client/types.gen.ts';
import { Facts } from '../../../ui/facts.tsx';
import { t } from '../../../ui/text.ts';
import { Section } from './section.tsx';

export function Installation({ installation }: { installation: Installed }) {
  const { version, publicUrl, mailFrom, provider, reference, webhookKeepDays, allowsPrivateWebhooks } =
    installation;
  return (
    <Section
      title={t('This installation')}
      about={t('Read-only. The service’s operator sets these in its environment.')}
    >
      <Facts
        facts={[
          [t('Version'), version],
          [
            t('Address'),
            publicUrl ?? (
              <>
                {t('This machine only. To allow others, set')} <Code>PUBLIC_URL</Code>
              </>
            ),
          ],
          [
            t('Email'),
            mailFrom === null ? (
              <>
                {t('None. You share invitation links yourself. To send email, set')} <Code>SMTP_URL</Code>
              </>
            ) : (
              t('From {mailFrom}', { mailFrom })
            ),
          ],
          [
            t('Single sign-on'),
            provider === null ? (
              <>
                {t('None. To enable it, set')} <Code>OIDC_ISSUER</Code>
              </>
            ) : (
              `${provider.name} (${provider.issuer})`
            ),
          ],
          [
            t('Webhook event retention'),
            t('{days, plural, one {# day} other {# days}}', { days: webhookKeepDays }),
          ],
          [t('Webhooks to private addresses'), allowsPrivateWebhooks ? t('Allowed') : t('Rejected')],
          [
            t('API reference'),
            reference ? (
              <Anchor key="docs" size="sm" href="/docs" target="_blank" rel="noreferrer">
                {t('Open')}
              </Anchor>
            ) : (
              t('Served at another address')
            ),
          ],
        ]}
      />
    </Section>
  );
}
