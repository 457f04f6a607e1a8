import type { Me } from '../../client/types.gen.ts';
import { askAuth } from './auth.ts';

/**
 * Who is signed in, and for which publishers they work.
 * @throws ApiFailure 401 where nobody is
 */
export const fetchMe = (): Promise<Me> => askAuth<Me>('/me');
