import { Type } from 'typebox';
import { errorBody, inputErrorBody } from '../platform/http/schemas/schemas.ts';

export { inputMinor, minor, nullable, oneOf, pageOf, time } from '../platform/http/schemas/fields.ts';

export const adminErrors = {
  400: inputErrorBody('InvalidInput, or another error in the request. Nothing was changed.'),
  401: errorBody('Unauthorized: the request has no valid session or operator token.'),
  403: errorBody(
    'Forbidden: the role lacks the permission. SignInAgain: the sign-in is older than five minutes.',
  ),
  404: inputErrorBody(
    'NotFound: the object, or one that the body names, does not exist, or it belongs to another publisher.',
  ),
  409: inputErrorBody(
    'Stale: the saved version is newer than the edited one. Conflict: the current state does not allow the change.',
  ),
  413: errorBody('PayloadTooLarge.'),
  415: errorBody('InvalidInput: the body is not JSON.'),
  429: errorBody('RateLimited.'),
  500: errorBody('UnknownError.'),
  503: errorBody('Unavailable.'),
};

export const pageLimits = [50, 100, 250] as const;

export const pageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 2_000, description: 'nextCursor from the previous page.' })),
  limit: Type.Optional(Type.Integer({ enum: [...pageLimits], default: 50, description: 'Rows per page.' })),
};

/**
 * Query parameter that names a creator group. Without it, lists cover all groups, and other operations use the default
 * group.
 */
export const groupQuery = {
  group: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Id of a creator group.' })),
};

export const currencyCode = (description: string) => Type.String({ pattern: '^[A-Z]{3}$', description });

export const versionField = Type.String({
  description: 'Version to send with an edit, so that a stale edit is detected.',
});

export const editedVersion = Type.String({
  maxLength: 64,
  description:
    'Version as last read. If the version has changed since, nothing is saved and the response is 409 Stale.',
});

export const publisherPath = Type.Object({ publisherId: Type.String({ minLength: 1, maxLength: 255 }) });
