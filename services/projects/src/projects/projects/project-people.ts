/** Requests all users and customers that a project names from other services, before the transaction. */
import { invalid } from '@suite/chassis/faults';
import { fetchClients } from '@suite/user-copies';
import { requestCustomer } from '../../work/clients/customer.ts';
import { requestMembers } from '../members/member.ts';
import type { Rpc } from '../../operations.ts';
import type { ProjectReferences } from './project.ts';

/** Requests the users and the customer in the body. @throws a 422 that names the field */
export async function requestPeople(
  rpc: Rpc,
  body: {
    members?: readonly { user_id: string }[] | undefined;
    client_ids?: readonly string[] | undefined;
    customer_id?: string | null | undefined;
  },
): Promise<ProjectReferences> {
  const { members = [], client_ids = [], customer_id } = body;
  const ids = members.map(({ user_id }) => user_id);
  if (new Set(ids).size < ids.length) throw invalid('members', 'Enter each member only once.');
  const people = await requestMembers(rpc, ids);
  const clients = await fetchClients(rpc, { client_ids });
  return { people: [...people, ...clients], customer: await requestCustomer(rpc, customer_id) };
}
