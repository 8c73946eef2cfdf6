/**
 * Widgets are web forms on your own pages that create leads. Fields, texts, colours and target pipeline are settings.
 * The token of a widget is public.
 */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page } from '@suite/chassis/operations';
import { fetchStaff } from '@suite/user-copies';
import { command, query } from '../../operations.ts';
import { NoPipeline } from '../../pipeline/pipelines/pipeline.ts';
import { changeWidget, createWidget, revokeWidget, rotateToken } from './widget.ts';
import { ContrastTooLow, widgetStates } from './widget.rules.ts';
import { NewWidget, Rotation, Widget, WidgetChanges, WidgetDetails, WidgetFilter } from './widget.schema.ts';
import { readWidget, showWidget, widgetView } from './widget.view.ts';

const ADDITION = 'The specification only shows and receives forms: a workspace must be able to create them.';

export const list = query('GET /api/widgets', {
  summary: 'List widgets',
  description: 'Returns web forms with their status and allowed actions, including revoked ones.',
  addition: ADDITION,
  access: can('widget.view'),
  query: WidgetFilter,
  reply: page(Widget),
  handle: ({ db, caller, query: request }) => paginate(db, request, widgetView(caller)),
});

export const show = query('GET /api/widget/show/{id}', {
  summary: 'Get a widget',
  description: 'Returns a web form with the script tag to paste into a page.',
  addition: ADDITION,
  access: can('widget.view'),
  params: { id: idOf('widgets') },
  reply: ok(WidgetDetails),
  handle: ({ params, public_url, ...context }) => showWidget(context, params.id, public_url),
});

export const create = command('POST /api/widget/create', {
  summary: 'Create a widget',
  description:
    'Creates a web form that creates leads. Requires one of the fields `name`, `company` and `email`. Known fields such as `phone` and `website` fill the lead, and a note contains all fields. Returns `contrast_too_low` for colours that are hard to read.',
  addition: ADDITION,
  access: can('widget.create'),
  body: NewWidget,
  reply: created(Widget),
  faults: [NoPipeline, ContrastTooLow],
  prepare: ({ body, rpc }) => fetchStaff(rpc, { owner_id: body.owner_id }),
  handle: async ({ body, prepared, ...context }) =>
    await readWidget(context, await createWidget(context, body, prepared)),
});

export const update = command('POST /api/widget/update/{id}', {
  summary: 'Update a widget',
  description:
    'Updates a web form. Objects and lists in the body replace the stored ones. Visitors with an open form must reload it.',
  addition: ADDITION,
  access: widgetStates.can('update'),
  params: { id: idOf('widgets') },
  body: WidgetChanges,
  reply: ok(Widget),
  faults: [NoPipeline, ContrastTooLow],
  prepare: ({ body, rpc }) => fetchStaff(rpc, { owner_id: body.owner_id }),
  async handle({ params, body, prepared: people, expect, ...context }) {
    await changeWidget(context, params.id, body, { expect, people });
    return await readWidget(context, params.id);
  },
});

export const rotate = command('POST /api/widget/rotate/{id}', {
  summary: 'Rotate the token of a widget',
  description:
    'Replaces the token of a web form. The previous token works for another `overlap_hours`, so that you can update pages gradually.',
  addition: ADDITION,
  access: widgetStates.can('rotate'),
  params: { id: idOf('widgets') },
  body: Rotation,
  reply: ok(Widget),
  async handle({ params, body, ...context }) {
    await rotateToken(context, params.id, body.overlap_hours);
    return await readWidget(context, params.id);
  },
});

export const revoke = command('POST /api/widget/revoke/{id}', {
  summary: 'Revoke a widget',
  description: 'Revokes a web form: pages stop showing it immediately. Revoking it again changes nothing.',
  addition: ADDITION,
  access: widgetStates.can('revoke'),
  params: { id: idOf('widgets') },
  reply: ok(Widget),
  async handle({ params, ...context }) {
    await revokeWidget(context, params.id);
    return await readWidget(context, params.id);
  },
});
