import { Button, Stack, Text } from '@mantine/core';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { ErasureSection } from './erasure.tsx';
import classes from './your-data.module.css';

/** Page with the file of everything that is stored about the person, and the request to erase it. */
export function Page() {
  return (
    <CreatorPage title={t('Your data')}>
      <Stack gap="xl">
        <section>
          <h2 className={classes.title}>{t('Download')}</h2>
          <Text mb="md">
            {t(
              'The file contains what is stored about you: your sign-in, your creator accounts, and what you earned at each publisher. It’s a JSON file, meant for programs and experts. For notes that a publisher’s staff wrote about you, ask the publisher.',
            )}
          </Text>
          <Button
            component="a"
            href="/portal/v1/access-file"
            download
            size="md"
            variant="default"
            leftSection={<Icon name="download" size={16} />}
          >
            {t('Download your data')}
          </Button>
        </section>
        <ErasureSection />
      </Stack>
    </CreatorPage>
  );
}
