import { useState } from 'react';
import { usePlace } from '../../place.ts';
import { AddPasskey } from './add-passkey.tsx';
import { AddProvider } from './add-provider.tsx';
import { type Asked, Methods } from './methods.tsx';
import { RemoveMethod } from './remove-method.tsx';

/** The person's sign-in methods, the emailed code that adds one, or the removal of one. */
export function Page() {
  const [, , signInMethodId] = usePlace().path.split('/');
  const [asked, setAsked] = useState<Asked | null>(null);
  if (signInMethodId !== undefined) return <RemoveMethod signInMethodId={signInMethodId} />;
  const stop = (): void => setAsked(null);
  if (asked?.provider === null) return <AddPasskey email={asked.email} onDone={stop} />;
  if (asked !== null) return <AddProvider provider={asked.provider} email={asked.email} onBack={stop} />;
  return <Methods onAsked={setAsked} />;
}
