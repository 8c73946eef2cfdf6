import { randomUUID } from 'node:crypto';
import { copyConformance, dataOf, eventPublisher } from '@suite/testing';
import { openProjects } from '../../test/fixture.ts';
import { projects } from '../projects.ts';

const { serving, finance, office: openOffice } = await openProjects();
const { say } = await eventPublisher(serving);
const { workspace, owner, hire } = await openOffice();
const create = (body: object) => owner.post('/api/projects/create', { name: 'Website', ...body });
const { id: deal_template_id } = await dataOf(create({ is_template: true }));
await owner.post('/api/project/settings/update', { deal_template_id });

await copyConformance({
  contents: projects,
  serving,
  finance,
  workspace,
  writers: {
    projects: {
      'POST /api/projects/create': {
        reads_owner: true,
        prepare: async (customer_id) => () => create({ customer_id }),
      },
      'POST /api/project/update/{id}': {
        reads_owner: true,
        async prepare(customer_id) {
          const { id } = await dataOf(create({ customer_id: finance.customer(workspace) }));
          return () => owner.post(`/api/project/update/${id}`, { customer_id });
        },
      },
      'a won deal': {
        reads_owner: false,
        async prepare(customer_id) {
          const { name: customer_name } = finance.customers.get(customer_id)!;
          const deal = { deal_id: randomUUID(), name: 'Fleet', price: '900', currency: 'EUR', owner_id: hire() };
          return () => say(workspace, 'crm.deal.won', { ...deal, customer_id, customer_name });
        },
      },
    },
  },
});
