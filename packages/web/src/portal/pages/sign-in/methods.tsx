import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listSignInMethodsOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { requestSignInMethodCode } from '../../../client/portal/sdk.gen.ts';
import type { Provider, SignInMethod } from '../../../client/portal/types.gen.ts';
import { supportsPasskeys } from '../../../ui/passkey.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { NamedAccounts } from '../../named-accounts.tsx';
import { usePlace } from '../../place.ts';
import { nameIn, useProviders } from '../../providers.ts';
import { Skeletons } from '../../skeletons.tsx';
import { VisitProblem } from '../../visit-problem.tsx';
import { YouPage } from '../../you-page.tsx';
import classes from '../you/you.module.css';
import { methodTitle } from './method-title.ts';

/** Method that is added, and the address that the code was sent to. */
export interface Asked {
  /** Null for a passkey. */
  provider: Provider | null;
  email: string;
}

/** Sign-in methods of the person, with buttons that add more. */
export function Methods({ onAsked }: { onAsked(asked: Asked): void }) {
  const { data, error, refetch } = useQuery(listSignInMethodsOptions());
  const providers = useProviders();
  const asking = useAttempt();
  const ask = async (provider: Provider | null): Promise<void> => {
    const { data: sent } = await requestSignInMethodCode({
      body: { kind: provider?.provider ?? 'passkey' },
      throwOnError: true,
    });
    onAsked({ provider, email: sent.email });
  };
  return (
    <YouPage title={t('Sign-in')}>
      <Stack>
        <Outcome />
        <NamedAccounts />
        <Text>{t('An emailed code always works. Here you can add other ways to sign in.')}</Text>
        {data !== undefined ? (
          data.rows.length > 0 && (
            <ul className={classes.rows}>
              {data.rows.map((method) => (
                <Method key={method.signInMethodId} method={method} />
              ))}
            </ul>
          )
        ) : error !== null ? (
          <Failing
            error={error}
            title={t('Couldn’t load your ways to sign in')}
            onRetry={() => void refetch()}
          />
        ) : (
          <Skeletons heights={[60, 60]} />
        )}
        {asking.error !== null && <Failing error={asking.error} title={t('That didn’t work')} />}
        {supportsPasskeys() && (
          <Button
            size="md"
            variant="default"
            disabled={asking.isBusy}
            onClick={() => void asking.run(() => ask(null))}
          >
            {t('Add a passkey')}
          </Button>
        )}
        {providers.map((provider) => (
          <Button
            key={provider.provider}
            size="md"
            variant="default"
            disabled={asking.isBusy}
            onClick={() => void asking.run(() => ask(provider))}
          >
            {t('Add {provider}', { provider: provider.name })}
          </Button>
        ))}
        <Text size="sm" c="dimmed">
          {t('We’ll email you a code for each change here and for each change to your payout method.')}
        </Text>
      </Stack>
    </YouPage>
  );
}

/** Result of a visit to a provider that ended on this page. */
function Outcome() {
  const { query } = usePlace();
  const providers = useProviders();
  if (query.problem !== undefined)
    return <VisitProblem problem={query.problem} provider={nameIn(providers, query.provider)} />;
  const added = query.added ?? query.kept;
  if (added === undefined) return null;
  const provider = nameIn(providers, added);
  return (
    <Alert role="status">
      {query.added !== undefined
        ? t('From now on, you can sign in with {provider}.', { provider })
        : t('You had already added this {provider} account. Nothing was changed.', { provider })}
    </Alert>
  );
}

function Method({ method }: { method: SignInMethod }) {
  const { signInMethodId, name, addedAt, lastUsedAt } = method;
  const title = methodTitle(method);
  return (
    <li className={classes.session}>
      <div>
        <p className={classes.name}>{title}</p>
        {name !== null && <p className={classes.facts}>{name}</p>}
        <p className={classes.facts}>
          {lastUsedAt === null
            ? t('Added on {day}', { day: formatWhen(addedAt, 'viewer', 'day') })
            : t('Last used {when}', { when: formatWhen(lastUsedAt, 'viewer', 'minute') })}
        </p>
      </div>
      <LinkButton
        to={`/sign-in/${signInMethodId}`}
        variant="default"
        label={t('Remove {method}', { method: name === null ? title : `${title}: ${name}` })}
      >
        {t('Remove')}
      </LinkButton>
    </li>
  );
}
