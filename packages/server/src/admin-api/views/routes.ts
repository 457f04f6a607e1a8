import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { changeView } from '../../accounts/views/change-view.ts';
import { chooseDefaultView } from '../../accounts/views/choose-default-view.ts';
import { createView } from '../../accounts/views/create-view.ts';
import { listViews } from '../../accounts/views/list-views.ts';
import { removeView } from '../../accounts/views/remove-view.ts';
import { type ViewListName, viewListNames, viewLists } from '../../accounts/views/view-lists.ts';
import type { ViewOwner } from '../../accounts/views/views.ts';
import type { Service } from '../../composition.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable, visible } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { teamOf } from '../../publishers/sandboxes.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, nullable, oneOf, versionField } from '../schemas.ts';

const listName = oneOf(viewListNames, { description: 'Dashboard list.' });
const viewId = Type.String({ maxLength: 64 });
const path = { viewId };

const savedView = Type.Object(
  {
    viewId: Type.String(),
    list: listName,
    name: Type.String(),
    query: Type.Record(Type.String(), Type.String(), {
      title: 'ViewQuery',
      description: "Parameters of the list's URL: filters, sort order and hidden columns.",
    }),
    isShared: Type.Boolean({ description: "True if the publisher's team shares the view." }),
    version: versionField,
  },
  { title: 'SavedView' },
);

const viewInput = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: visible, description: 'Name of the view.' }),
  query: Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 600, pattern: storable }), {
    maxProperties: 20,
    title: 'NewViewQuery',
    description:
      "Parameters of the list's URL. Each list accepts its own names; others, such as `cursor` and `open`, are rejected.",
  }),
};
const newView = Type.Object({ list: listName, ...viewInput }, { ...closed, title: 'NewView' });
const changedView = Type.Object(
  { version: editedVersion, ...viewInput },
  { ...closed, title: 'ChangedView' },
);
const removed = Type.Object({}, { title: 'RemovedView' });

type PublisherRequest = FastifyRequest & { params: { publisherId: string } };

export function viewRoutes(app: App, { database: { db } }: Service): void {
  ownViewRoutes(app, db);
  sharedViewRoutes(app, db);
}

function ownViewRoutes(app: App, db: Db): void {
  const { operation } = adminOperations(app, 'Views');
  operation(
    ['get', '/publishers/:publisherId/views', 'listViews'],
    {
      may: 'read',
      summary: "List the caller's views and the shared views of a list",
      query: { list: listName },
      answer: Type.Object(
        {
          names: Type.Array(Type.String(), {
            description: 'Parameters that a view of the list can contain.',
          }),
          views: Type.Array(savedView, { description: 'Up to 300 views, sorted by name.' }),
          defaultViewId: nullable(
            Type.String({ description: "Caller's default view of the list; null if there is none." }),
          ),
        },
        { title: 'SavedViews' },
      ),
    },
    async (request) => {
      const { list } = request.query;
      requireList(request, list);
      const staff = staffOf(request);
      const userId = staff.kind === 'staff' ? staff.staffId : null;
      const owner = { publisherId: await teamAt(db, request), userId };
      return { names: [...viewLists[list].names], ...(await listViews(db, owner, list)) };
    },
  );

  operation(
    ['post', '/publishers/:publisherId/views', 'createView'],
    {
      may: 'read',
      summary: 'Save a private view',
      description: 'Only the signed-in person sees it. An operator token has no private views.',
      body: newView,
      answer: savedView,
    },
    async (request) => {
      requireList(request, request.body.list);
      return await createView(db, request.actor, await personAt(db, request), request.body);
    },
  );

  operation(
    ['put', '/publishers/:publisherId/views/:viewId', 'changeView'],
    { may: 'read', summary: 'Change a private view', path, body: changedView, answer: savedView },
    async (request) =>
      await changeView(db, request.actor, await personAt(db, request), {
        viewId: request.params.viewId,
        ...request.body,
      }),
  );

  operation(
    ['delete', '/publishers/:publisherId/views/:viewId', 'removeView'],
    {
      may: 'read',
      summary: 'Remove a private view',
      path,
      query: { version: editedVersion },
      answer: removed,
    },
    async (request) => {
      const { params, query, actor } = request;
      await removeView(db, actor, await personAt(db, request), { viewId: params.viewId, ...query });
      return {};
    },
  );

  operation(
    ['put', '/publishers/:publisherId/default-view', 'chooseDefaultView'],
    {
      may: 'read',
      summary: "Choose the caller's default view of a list",
      body: Type.Object({ list: listName, viewId: nullable(viewId) }, { ...closed, title: 'DefaultView' }),
      answer: Type.Object({}, { title: 'ChosenDefaultView' }),
    },
    async (request) => {
      requireList(request, request.body.list);
      await chooseDefaultView(db, await personAt(db, request), request.body);
      return {};
    },
  );
}

function sharedViewRoutes(app: App, db: Db): void {
  const { operation } = adminOperations(app, 'Views');
  const team = async (request: PublisherRequest): Promise<ViewOwner> => ({
    publisherId: await teamAt(db, request),
    userId: null,
  });
  operation(
    ['post', '/publishers/:publisherId/shared-views', 'createSharedView'],
    { may: 'views', summary: "Save a view for the publisher's team", body: newView, answer: savedView },
    async (request) => {
      requireList(request, request.body.list);
      return await createView(db, request.actor, await team(request), request.body);
    },
  );

  operation(
    ['put', '/publishers/:publisherId/shared-views/:viewId', 'changeSharedView'],
    { may: 'views', summary: 'Change a shared view', path, body: changedView, answer: savedView },
    async (request) =>
      await changeView(db, request.actor, await team(request), {
        viewId: request.params.viewId,
        ...request.body,
      }),
  );

  operation(
    ['delete', '/publishers/:publisherId/shared-views/:viewId', 'removeSharedView'],
    {
      may: 'views',
      summary: 'Remove a shared view',
      path,
      query: { version: editedVersion },
      answer: removed,
    },
    async (request) => {
      const { params, query, actor } = request;
      await removeView(db, actor, await team(request), { viewId: params.viewId, ...query });
      return {};
    },
  );
}

/** A view shows what people search for, so its list's own permission applies. @throws Refusal Forbidden */
function requireList(request: FastifyRequest, list: ViewListName): void {
  if (!may(staffOf(request), viewLists[list].permission))
    throw new Refusal('Forbidden', `Your role can't see this list (${list}).`);
}

/** @returns the publisher that views belong to: a sandbox shows the views of its live publisher */
const teamAt = async (db: Db, { params: { publisherId } }: PublisherRequest): Promise<string> =>
  (await teamOf(db, publisherId)) ?? publisherId;

/** @throws Refusal Forbidden for an operator token */
async function personAt(db: Db, request: PublisherRequest): Promise<{ publisherId: string; userId: string }> {
  const staff = staffOf(request);
  if (staff.kind === 'token')
    throw new Refusal('Forbidden', 'An operator token has no views of its own. Use shared views.');
  return { publisherId: await teamAt(db, request), userId: staff.staffId };
}
