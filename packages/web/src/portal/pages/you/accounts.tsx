import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Proof } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { LinkButton } from '../../link-button.tsx';
import { NamedAccounts } from '../../named-accounts.tsx';
import { accountsQuery } from '../../publisher.ts';
import classes from './you.module.css';

/** Connected creator accounts, with their publishers. */
export function Accounts() {
  const { data } = useQuery(accountsQuery);
  return (
    <section>
      <h2 className={classes.title}>{t('Creator accounts')}</h2>
      <ul className={classes.rows}>
        {data?.rows.map(({ accountId, name, proof, provenAt, publishers }) => (
          <li key={accountId}>
            <p className={classes.name}>{name}</p>
            <p className={classes.facts}>{publishers.map((each) => each.name).join(', ')}</p>
            <p className={classes.facts}>{connectedBy(proof, formatWhen(provenAt, 'viewer', 'day'))}</p>
          </li>
        ))}
      </ul>
      <NamedAccounts />
      <Group gap="xs">
        <LinkButton to="/link" variant="default">
          {t('Connect another account')}
        </LinkButton>
        {data !== undefined && data.rows.length > 0 && (
          <LinkButton to="/auth-code" variant="default">
            {t('Get an auth code')}
          </LinkButton>
        )}
      </Group>
    </section>
  );
}

const connectedBy = (proof: Proof, day: string): string =>
  ({
    invitation: t('Connected by invitation on {day}', { day }),
    'auth-code': t('Connected with an auth code on {day}', { day }),
    application: t('Created with your application on {day}', { day }),
    provider: t('Connected by signing in with your channel on {day}', { day }),
  })[proof];
