import { Type } from 'typebox';
import { nullable } from '../platform/http/schemas/fields.ts';
import { errorBody, text } from '../platform/http/schemas/schemas.ts';

export const portalErrors = {
  400: errorBody('InvalidInput, or another error in the request. Nothing was changed.'),
  401: errorBody('Unauthorized: the request has no valid session, or the code or link is not valid.'),
  403: errorBody(
    "Forbidden: the request didn't come from a page of the portal, or an emailed code must be entered first.",
  ),
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

const publisher = {
  publisherId: Type.String(),
  name: Type.String(),
  isSandbox: Type.Boolean({ description: 'True if the publisher is only a rehearsal: no one is paid.' }),
};

export const publisherOfCreator = Type.Object(publisher, { title: 'PublisherOfCreator' });

const shades = Type.Object(
  {
    fill: Type.String({ description: 'Color of buttons and links.' }),
    ink: Type.String({ description: 'Color of text on `fill`.' }),
  },
  { title: 'AccentShades' },
);

export const brandedPublisher = Type.Object(
  {
    ...publisher,
    logoPath: nullable(Type.String({ description: 'Path of the logo on this host.' })),
    accent: nullable(
      Type.Object(
        { light: shades, dark: shades },
        { title: 'PublisherAccent', description: "Publisher's color, for light and dark pages." },
      ),
    ),
  },
  { title: 'BrandedPublisher' },
);

export const typedCode = text(64, 'Code from the email. Letter case and the dash do not matter.');
export const requestedCode = Type.Object(
  { email: Type.String({ description: 'Address that the code was sent to.' }) },
  { title: 'RequestedConfirmation' },
);
