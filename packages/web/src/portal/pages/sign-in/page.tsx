import { useState } from 'react';
import { usePlace } from '../../place.ts';
import { AddProvider, type Asked } from './add-provider.tsx';
import { Methods } from './methods.tsx';
import { RemoveMethod } from './remove-method.tsx';

/** The person's sign-in methods, the emailed code that adds one, or the removal of one. */
export function Page() {
  const [, , signInMethodId] = usePlace().path.split('/');
  const [asked, setAsked] = useState<Asked | null>(null);
  if (signInMethodId !== undefined) return <RemoveMethod signInMethodId={signInMethodId} />;
  if (asked !== null) return <AddProvider asked={asked} onBack={() => setAsked(null)} />;
  return <Methods onAsked={setAsked} />;
}
