import { Alert } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';

interface VisitProblemProps {
  /** Reason from the URL that the service sent the browser to, which anyone could have written. */
  problem: string;
  /** Provider's name. */
  provider: string;
}

/** Explains why a visit to a provider neither signed in nor added the account, and what to do. */
export function VisitProblem({ problem, provider }: VisitProblemProps) {
  const [title, text] = wordsFor(problem, provider);
  return (
    <Alert color="orange" role="alert" icon={<Icon name="alert" />} title={title}>
      {text}
    </Alert>
  );
}

function wordsFor(problem: string, provider: string): [title: string, text: string] {
  const nothing = t('That didn’t work');
  switch (problem) {
    case 'unknown':
      return [
        t('We don’t know this {provider} account yet', { provider }),
        t(
          'Sign in with your email address first. Connect your creator account with your invitation or an auth code, then add {provider} under You › Sign-in.',
          { provider },
        ),
      ];
    case 'taken':
      return [
        t('This {provider} account is already in use', { provider }),
        t(
          'It’s used to sign in with another email address, maybe one of yours. Remove it there first, or choose another {provider} account.',
          { provider },
        ),
      ];
    case 'no-channel':
      return [
        t('This account has no YouTube channel'),
        t('Try again, and choose the account or channel that you create with.'),
      ];
    case 'too-many':
      return [nothing, t('You already have 20 other ways to sign in. Remove one first.')];
    case 'denied':
      return [nothing, t('You canceled, or {provider} refused. Nothing was changed.', { provider })];
    case 'expired':
      return [nothing, t('It took too long, or was started in another browser. Try again.')];
    case 'unavailable':
      return [
        nothing,
        t('{provider} isn’t responding. Try again later, or sign in with an emailed code.', { provider }),
      ];
    case 'limited':
      return [t('Too many attempts'), t('Try again in a minute.')];
    default:
      return [nothing, t('{provider} sent an answer that we couldn’t use. Try again.', { provider })];
  }
}
