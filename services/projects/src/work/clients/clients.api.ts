/** Clients of projects: external users who see the shared part of a project. */
import { idOf } from '@suite/chassis/fields';
import { can, page, removed, upserted } from '@suite/chassis/operations';
import { z } from 'zod';
import { projectFaults } from '../access/project.rules.ts';
import { inProjects } from '../../operations.ts';
import { requestInvitedUsers, EmailTaken, inviteClients, removeClient } from './client.ts';
import { Invitation, ProjectClient, ProjectClientFilter } from './client.schema.ts';
import { listClients, readClients } from './client.view.ts';
import { clientActions } from './client.rules.ts';

const { query, command } = inProjects;

export const list = query('GET /api/project/clients', {
  summary: 'List project clients',
  description:
    'Returns the clients of the projects that you may see. E-mail addresses are visible to project managers only.',
  access: can('project.view'),
  query: ProjectClientFilter,
  reply: page(ProjectClient),
  handle: ({ db, caller, query }) => listClients(db, caller, query),
});

export const invite = command('POST /api/project/client/invite', {
  summary: 'Invite clients to a project',
  description:
    'Adds a client user, all users of a customer, or a new client, who receives an invitation. Returns 200 if all of them already have access.',
  access: can('project.update'),
  body: Invitation,
  reply: upserted(z.array(ProjectClient)),
  faults: [...projectFaults, EmailTaken],
  prepare: ({ body, ...context }) => requestInvitedUsers(context, body),
  async handle({ body, prepared, ...context }) {
    const created = await inviteClients(context, body.project_id, prepared);
    const ids = prepared.people.map(({ user_id }) => user_id);
    return { created, record: await readClients(context.db, context.caller, body.project_id, ids) };
  },
});

export const remove = command('DELETE /api/project/client/delete/{id}', {
  summary: 'Remove a client from a project',
  description: 'Removes a client, who can no longer see the project. Their user account stays active.',
  access: clientActions.can('delete'),
  params: { id: idOf('project_clients') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params, ...context }) => removeClient(context, params.id),
});
