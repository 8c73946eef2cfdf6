/** Scenarios for crm and platform: leads that are converted, and users who join and leave. */
import type { Task } from './load-worker.ts';

/** Creates a lead with comments, moves it to another stage, and converts it with a new client. */
export const convertLead =
  (stage_id: string): Task =>
  async ({ marker, step }) => {
    const { id } = await step('lead', '/api/lead/create', { name: marker });
    await step('note', `/api/lead-discussion/store/${id}`, { comment: marker });
    await step('move', `/api/lead/update/${id}`, { stage_id });
    const client = { name: marker, email: `${marker}@example.test` };
    await step('conversion', `/api/lead/convert-to-deal/${id}`, { client });
  };

/** Creates a lead. */
export const createLead: Task = async ({ marker, step }) => {
  await step('lead', '/api/lead/create', { name: marker });
};

/** Invites a user, assigns them a lead, and deletes the user: the lead must not stay with a former user. */
export const inviteAndDeleteUser =
  (role_id: string): Task =>
  async ({ marker, step }) => {
    const invitation = { name: marker, email: `${marker}@example.test`, role_id };
    const { id: owner_id } = await step('invitation', '/api/user/store', invitation);
    await step('lead', '/api/lead/create', { name: marker, owner_id });
    await step('departure', `/api/user/delete/${owner_id}`, undefined, { method: 'DELETE' });
  };
