import { usePlace } from '../../place.ts';
import { MethodForm } from './method-form.tsx';
import { Methods } from './methods.tsx';
import { RemoveMethod } from './remove-method.tsx';

/** The creator's payout methods, the form for a new one, or the removal of one. */
export function Page() {
  const [, , part] = usePlace().path.split('/');
  if (part === undefined) return <Methods />;
  return part === 'new' ? <MethodForm /> : <RemoveMethod methodId={part} />;
}
