import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { nullable, oneOf, time } from '../platform/http/schemas/fields.ts';
import { visible } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import type { Portal } from '../portal/create-portal.ts';
import { alertOf, sessionOf } from '../portal/require-portal.ts';
import { cursorPattern, firstCursor, readCursor, writeCursor } from '../portal/stream-alert/alert-cursor.ts';
import { type AlertOwner, placements } from '../portal/stream-alert/alerts.ts';
import { changeAlert } from '../portal/stream-alert/change-alert.ts';
import { readAlert } from '../portal/stream-alert/read-alert.ts';
import { removeAlert } from '../portal/stream-alert/remove-alert.ts';
import { requestTest } from '../portal/stream-alert/request-test.ts';
import { rotateSecret } from '../portal/stream-alert/rotate-secret.ts';
import { portalOperations } from './portal-operations.ts';

const settings = {
  text: Type.String({
    minLength: 1,
    maxLength: 120,
    pattern: visible,
    description: 'Text that is shown. `{product}` and `{code}` are replaced by those of the purchase.',
  }),
  placement: oneOf(placements, { description: 'Place of the text on the stream.' }),
  showSeconds: Type.Integer({
    minimum: 3,
    maximum: 20,
    description: 'Number of seconds for which a purchase is shown.',
  }),
};

const streamAlert = Type.Object(
  {
    alert: nullable(
      Type.Object(
        {
          ...settings,
          createdAt: time('When the address was created.'),
          seenAt: nullable(
            time(
              'When an overlay last called, accurate to half a minute; null if the address was not used yet.',
            ),
          ),
          isConnected: Type.Boolean({ description: 'True if an overlay is open.' }),
        },
        { title: 'StreamAlert' },
      ),
    ),
  },
  { title: 'StreamAlertAtPublisher' },
);

const shownPurchase = Type.Object(
  {
    id: Type.String({ description: 'Text by which an overlay recognizes a purchase that it has shown.' }),
    product: Type.String({ description: "Publisher's text for the product, up to 80 characters." }),
    code: nullable(Type.String({ description: 'Code that the buyer used; null for a test.' })),
  },
  { title: 'ShownPurchase' },
);

/** Registers the operations on a creator's stream alert, and the one that its overlays call. */
export function streamAlertRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Stream alert');
  const { db, clock, overlays } = portal;
  const shown = async (owner: AlertOwner) => ({ alert: await readAlert(db, owner, clock.now()) });

  operation(
    ['get', '/stream-alert', 'getStreamAlert'],
    {
      of: 'publisher',
      summary: 'Get the stream alert at a publisher',
      description: '`alert` is null if there is none. The address is never returned again.',
      answer: streamAlert,
    },
    (request) => shown(ownerOf(request)),
  );

  operation(
    ['post', '/stream-alert/address', 'createStreamAlertAddress'],
    {
      of: 'publisher',
      summary: 'Create the stream alert, or replace its address',
      description:
        'The address is a page for streaming software. Its secret is behind the `#`. The previous address ends within two seconds.',
      body: Type.Object({}, closed),
      answer: Type.Object(
        { address: Type.String({ description: 'Address of the overlay. It is returned only once.' }) },
        { title: 'StreamAlertAddress' },
      ),
    },
    async (request) => {
      const secret = await rotateSecret(db, ownerOf(request), clock.now());
      return { address: `${portal.url}/alert#${secret}` };
    },
  );

  operation(
    ['put', '/stream-alert', 'changeStreamAlert'],
    {
      of: 'publisher',
      summary: 'Change the settings of the stream alert',
      description: 'Open overlays use them within half a minute.',
      body: Type.Object(settings, { ...closed, title: 'StreamAlertSettings' }),
      answer: streamAlert,
    },
    async (request) => {
      const owner = ownerOf(request);
      await changeAlert(db, owner, request.body);
      return shown(owner);
    },
  );

  operation(
    ['post', '/stream-alert/test', 'testStreamAlert'],
    {
      of: 'publisher',
      summary: 'Make the open overlays show a test',
      description: 'Overlays that are opened later do not show it.',
      body: Type.Object({}, closed),
      answer: streamAlert,
    },
    async (request) => {
      const owner = ownerOf(request);
      await requestTest(db, owner, clock.now());
      return shown(owner);
    },
  );

  operation(
    ['delete', '/stream-alert', 'removeStreamAlert'],
    {
      of: 'publisher',
      summary: 'Remove the stream alert',
      description: 'Its address ends within two seconds. Without a stream alert, nothing changes.',
      answer: streamAlert,
    },
    async (request) => {
      await removeAlert(db, ownerOf(request));
      return { alert: null };
    },
  );

  operation(
    ['get', '/stream-alert/purchases', 'waitForPurchases'],
    {
      of: 'alert',
      summary: 'Wait for purchases that the overlay has not shown',
      description:
        "Called by overlays, with the secret in the Authorization header. Responds as soon as a purchase with one of the creator's codes is recorded, or after 20 seconds without one. An overlay that just received purchases gets the next ones together, when it has shown the first. Without `after`, responds at once, so that nothing from before is shown. An overlay that was disconnected gets purchases of the last 30 seconds. Test purchases, reversed ones, and those dated more than ten minutes ago are left out.",
      query: {
        after: Type.Optional(
          Type.String({
            pattern: cursorPattern,
            maxLength: 1_000,
            description: '`cursor` of the previous response.',
          }),
        ),
      },
      answer: Type.Object(
        {
          purchases: Type.Array(shownPurchase, { description: 'At most 20, oldest first.' }),
          more: Type.Integer({ description: 'Number of further purchases, which are not returned.' }),
          cursor: Type.String({ description: 'Value of `after` for the next request.' }),
          settings: Type.Object(settings, { title: 'OverlaySettings' }),
        },
        { title: 'NewPurchases' },
      ),
    },
    (request, reply) => {
      const alert = alertOf(request);
      const { after } = request.query;
      const now = clock.now();
      if (after !== undefined) return overlays.wait(alert, readCursor(after, now), goneOf(reply));
      const cursor = writeCursor(firstCursor(now), []);
      return { purchases: [], more: 0, cursor, settings: alert.settings };
    },
  );
}

const ownerOf = (request: FastifyRequest): AlertOwner => ({
  publisherId: (request.query as { publisher: string }).publisher,
  userId: sessionOf(request).userId,
});

/** Returns a signal that is aborted when the client disconnects. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
