import type { Me } from '../../client/types.gen.ts';
import { callAuth } from './auth.ts';

/**
 * Fetches the signed-in person and their publishers.
 * @throws ApiFailure 401 without a session
 */
export const fetchMe = (): Promise<Me> => callAuth<Me>('/me');
