import { Type } from 'typebox';
import { errorBody } from '../platform/http/schemas/schemas.ts';

export const portalErrors = {
  400: errorBody('InvalidInput, or another error in the request. Nothing was changed.'),
  401: errorBody('Unauthorized: the request has no valid session, or the code or link is not valid.'),
  403: errorBody("Forbidden: the request didn't come from a page of the portal."),
  404: errorBody(
    'NotFound: the object does not exist, or it belongs to another person; or the portal is off.',
  ),
  409: errorBody('Conflict: the current state does not allow the change.'),
  413: errorBody('PayloadTooLarge.'),
  415: errorBody('InvalidInput: the body is not JSON.'),
  429: errorBody('RateLimited.'),
  500: errorBody('UnknownError.'),
  503: errorBody('Unavailable.'),
};

export const publisherQuery = {
  publisher: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Publisher of at least one of your creator accounts, as `GET /portal/v1/accounts` lists it.',
  }),
};

export const publisherOfCreator = Type.Object(
  {
    publisherId: Type.String(),
    name: Type.String(),
    isSandbox: Type.Boolean({ description: 'True if the publisher is only a rehearsal: no one is paid.' }),
  },
  { title: 'PublisherOfCreator' },
);
