/** The work of people in crm and platform: leads that are won, colleagues who come and go. */
import type { Task } from './load-worker.ts';

/** A lead that is made, talked about, moved on to a stage and converted with a client who is new to the suite. */
export const selling =
  (stage_id: string): Task =>
  async ({ marker, step }) => {
    const { id } = await step('lead', '/api/lead/create', { name: marker });
    await step('note', `/api/lead-discussion/store/${id}`, { comment: marker });
    await step('move', `/api/lead/update/${id}`, { stage_id });
    const client = { name: marker, email: `${marker}@example.test` };
    await step('conversion', `/api/lead/convert-to-deal/${id}`, { client });
  };

/** A colleague who is invited, gets a lead, and leaves again: the lead must not stay with somebody who is gone. */
export const employing =
  (role_id: string): Task =>
  async ({ marker, step }) => {
    const invitation = { name: marker, email: `${marker}@example.test`, role_id };
    const { id: owner_id } = await step('invitation', '/api/user/store', invitation);
    await step('lead', '/api/lead/create', { name: marker, owner_id });
    await step('departure', `/api/user/delete/${owner_id}`, undefined, 'DELETE');
  };
