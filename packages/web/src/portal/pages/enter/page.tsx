import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getSessionOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { linkToken } from '../../../ui/link-token.ts';
import { queryClient } from '../../api.ts';
import { goTo, usePlace } from '../../place.ts';
import { CodeForm } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { EnterLink } from './enter-link.tsx';
import { sentTo } from './sent-to.ts';

/** Sign-in page: an address, then the emailed code; or a button, if the link of the email was opened. */
export function Page() {
  const { query } = usePlace();
  const [token, setToken] = useState(linkToken);
  const [email, setEmail] = useState(sentTo.read);
  const next = query.next?.startsWith('/') ? query.next : '/';
  const { data: session } = useQuery({ ...getSessionOptions(), retry: false, enabled: token === '' });
  const isSignedIn = session !== undefined;
  useEffect(() => {
    if (isSignedIn) goTo(next, { replaces: true });
  }, [isSignedIn, next]);
  const arrive = (): void => {
    sentTo.forget();
    queryClient.clear();
    goTo(next, { replaces: true });
  };
  const keep = (address: string | null): void => {
    if (address === null) sentTo.forget();
    else sentTo.keep(address);
    setEmail(address);
  };
  if (token !== '') return <EnterLink token={token} onEntered={arrive} onGiveUp={() => setToken('')} />;
  if (email !== null && query.problem === undefined)
    return <CodeForm email={email} onEntered={arrive} onOther={() => keep(null)} />;
  const visit = query.problem === undefined ? null : { problem: query.problem, provider: query.provider };
  return <EmailForm hasEnded={query.ended === 'yes'} visit={visit} onSent={keep} onEntered={arrive} />;
}
