/** Partners: companies that sell or install your products and show a public badge. A badge can be revoked. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import {
  changePartner,
  createPartner,
  partnerView,
  readPartner,
  removePartner,
  revokePartner,
  rotateBadge,
} from './partner.ts';
import { partnerStates } from './partner.rules.ts';
import { NewPartner, Partner, PartnerChanges, PartnerFilter } from './partner.schema.ts';

const ADDITION = 'The specification only shows badges: a workspace must be able to add partners and revoke badges.';

export const list = query('GET /api/partners', {
  summary: 'List partners',
  description: 'Returns partners with their badge status and `badge_url`. Includes partners with a revoked badge.',
  addition: ADDITION,
  access: can('partner.view'),
  query: PartnerFilter,
  reply: page(Partner),
  handle: ({ db, caller, query: request, public_url }) => paginate(db, request, partnerView(caller, public_url)),
});

export const create = command('POST /api/partner/create', {
  summary: 'Create a partner',
  description: 'Creates a partner with a badge. `badge_url` shows the badge publicly from the start.',
  addition: ADDITION,
  access: can('partner.create'),
  body: NewPartner,
  reply: created(Partner),
  handle: async ({ body, public_url, ...context }) =>
    await readPartner(context, await createPartner(context.db, body), public_url),
});

export const update = command('POST /api/partner/update/{id}', {
  summary: 'Update a partner',
  description: 'Updates the partner. The badge shows the change within five minutes.',
  addition: ADDITION,
  access: partnerStates.can('update'),
  params: { id: idOf('partners') },
  body: PartnerChanges,
  reply: ok(Partner),
  async handle({ params, body, expect, public_url, ...context }) {
    await changePartner(context, params.id, body, expect);
    return await readPartner(context, params.id, public_url);
  },
});

export const rotate = command('POST /api/partner/rotate/{id}', {
  summary: 'Rotate the token of a partner badge',
  description: 'Replaces the token of the badge. The previous address stops working within five minutes.',
  addition: ADDITION,
  access: partnerStates.can('rotate'),
  params: { id: idOf('partners') },
  reply: ok(Partner),
  async handle({ params, public_url, ...context }) {
    await rotateBadge(context, params.id);
    return await readPartner(context, params.id, public_url);
  },
});

export const revoke = command('POST /api/partner/revoke/{id}', {
  summary: 'Revoke a partner badge',
  description: 'Revokes the badge. Cached copies disappear within five minutes. Revoking it again changes nothing.',
  addition: ADDITION,
  access: partnerStates.can('revoke'),
  params: { id: idOf('partners') },
  reply: ok(Partner),
  async handle({ params, public_url, ...context }) {
    await revokePartner(context, params.id);
    return await readPartner(context, params.id, public_url);
  },
});

export const remove = command('DELETE /api/partner/delete/{id}', {
  summary: 'Delete a partner',
  description: 'Deletes a partner. Returns 409 `invalid_transition` unless the badge has been revoked.',
  addition: ADDITION,
  access: partnerStates.can('delete'),
  params: { id: idOf('partners') },
  reply: removed,
  handle: ({ params, ...context }) => removePartner(context, params.id),
});
