import { choice, Email, Id, foreignId, inner, input, Name, Phone, refTo, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { clientActions } from './client.rules.ts';

/** Client user who follows a project. */
export const ProjectClient = z
  .object({
    id: Id,
    project_id: Id,
    user_id: Id,
    name: z.string(),
    email: inner(z.string().nullable().describe('`null` for users who do not manage the project.')),
    invited_at: Timestamp,
    status: choice('invited', 'active', 'disabled', 'former'),
    allowed_actions: Actions(clientActions),
  })
  .meta({ id: 'ProjectClient' });

export const ProjectClientFilter = list(ProjectClient.extend({ updated_at: Timestamp }), {
  filter: ['project_id', 'user_id', 'status', 'invited_at'],
  sort: ['invited_at', 'name'],
  order: '-invited_at',
  search: true,
});

/** Invitation to follow a project, for a client user, the users of a customer, or a person without an account. */
export const Invitation = input({
  project_id: refTo('projects'),
  client_id: foreignId('platform.user').optional(),
  customer_id: foreignId('finance.customer').optional(),
  client: input({ name: Name, email: Email, phone: Phone.optional() }).optional(),
}).refine(({ client_id, customer_id, client }) => [client_id, customer_id, client].filter(Boolean).length === 1, {
  error: 'Enter exactly one of a client, a customer or a new client.',
  path: ['client'],
});
export type Invitation = z.output<typeof Invitation>;
