import { copyConformance, dataOf } from '@suite/testing';
import { openSupport } from '../../test/fixture.ts';
import { support } from '../support.ts';

const { serving, finance, office: openOffice } = await openSupport();
const { workspace, owner, member } = await openOffice();
const base = '/api/support-ticket';
const requester = { name: 'Rita', email: 'rita@example.com' };
const create = (body: object, by = owner) =>
  by.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.', ...body });
const update = (id: string, body: object) => owner.post(`${base}/ticket/update/${id}`, body);

/** Creates a ticket of a new client, and assigns it to a customer. */
async function clientTicket(customer_id: string) {
  const client = member({ kind: 'client', name: 'Carl Client' });
  const { id } = await dataOf(create({}, client));
  await update(id, { customer_id });
  return { client, id };
}

await copyConformance({
  contents: support,
  serving,
  finance,
  workspace,
  writers: {
    tickets: {
      'POST …/ticket/store': {
        reads_owner: true,
        prepare: async (customer_id) => () => create({ requester: { ...requester, customer_id } }),
      },
      'POST …/ticket/update/{ticket_id}': {
        reads_owner: true,
        async prepare(customer_id) {
          const { id } = await dataOf(create({ requester }));
          return () => update(id, { customer_id });
        },
      },
      'another ticket of a client': {
        reads_owner: false,
        async prepare(customer_id) {
          const { client } = await clientTicket(customer_id);
          return () => create({}, client);
        },
      },
      'a follow-up': {
        reads_owner: false,
        async prepare(customer_id) {
          const { client, id } = await clientTicket(customer_id);
          for (const status of ['resolved', 'closed']) await update(id, { status });
          return () => client.post(`${base}/ticket/add-reply/${id}`, { body: 'Still broken.' });
        },
      },
    },
  },
});
