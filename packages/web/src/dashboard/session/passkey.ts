import { askAuth } from './auth.ts';

/** Whether this browser can be asked for a passkey. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/**
 * Signs in with a passkey.
 * @returns false where the person chose none
 * @throws ApiFailure where the passkey is not taken
 */
export async function signInWithPasskey(): Promise<boolean> {
  const question = await askAuth<PublicKeyCredentialRequestOptionsJSON>('/auth/sign-in/passkey/options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(question);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) return false;
  await askAuth('/auth/sign-in/passkey', { response: credential.toJSON() });
  return true;
}
