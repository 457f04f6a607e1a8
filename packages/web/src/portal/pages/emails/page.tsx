import { useState } from 'react';
import { usePlace } from '../../place.ts';
import { AddEmail } from './add-email.tsx';
import { EmailList } from './email-list.tsx';
import { RemoveEmail } from './remove-email.tsx';

/** The person's email addresses, the form for a new one, or the removal of one. */
export function Page() {
  const [, , part] = usePlace().path.split('/');
  const [removed, setRemoved] = useState<string | null>(null);
  if (part === 'new') return <AddEmail />;
  return removed === null ? (
    <EmailList onRemove={setRemoved} />
  ) : (
    <RemoveEmail email={removed} onDone={() => setRemoved(null)} />
  );
}
