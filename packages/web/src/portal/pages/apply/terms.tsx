import { Text } from '@mantine/core';
import type { GroupTerms } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import classes from './apply.module.css';

/** Terms of a group, as plain text that can be scrolled with the keyboard. */
export const Terms = ({ terms: { text, version, createdAt } }: { terms: GroupTerms }) => (
  <>
    <h2 className={classes.title} id="terms">
      {t('Terms')}
    </h2>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
    <section className={classes.terms} aria-labelledby="terms" tabIndex={0}>
      {text}
    </section>
    <Text size="sm" c="dimmed" mb="lg">
      {t('Version {version}, {day}', { version, day: formatWhen(createdAt, 'viewer', 'day') })}
    </Text>
  </>
);
