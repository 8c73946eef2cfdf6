import { describe, expect, test } from '@jest/globals';
import { copyConformance, eventPublisher } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';
import { salesSteps } from '../../test/sales.ts';
import { crm } from '../crm.ts';

const { serving, finance, shop } = await openCrm();
const { announce, say, heard } = await eventPublisher(serving);

const deal = async ({ owner }: Shop, customer_id: string): Promise<string> =>
  (await owner.post('/api/deal/create', { name: 'Fleet', customer_id })).body.data.id;
const dealOf = async ({ owner }: Shop, id: string) => (await owner.get(`/api/deal/show/${id}`)).body.data;

describe('the consumer of changed customers', () => {
  test('updates customer names of deals, and keeps the names in documents', async () => {
    const opened = await shop();
    const [ada, other] = [opened.customer({ name: 'Ada Ltd' }), opened.customer({ name: 'Other Ltd' })];
    const [renamed, kept] = [await deal(opened, ada), await deal(opened, other)];
    const { quote, showQuote } = salesSteps(opened);
    const { id: quote_id, customer_name } = await quote({ customer_id: ada });
    const { version } = await dealOf(opened, renamed);
    expect((await dealOf(opened, renamed)).customer_name).toBe('Ada Ltd');
    const event = { customer_id: ada, name: 'Ada & Sons', active: true, version: 2 };
    await heard(await announce(opened.workspace, 'finance.customer.updated', event, { position: 2, times: 3 }));
    expect(await dealOf(opened, renamed)).toMatchObject({ customer_name: 'Ada & Sons', version: version + 1 });
    expect(await dealOf(opened, kept)).toMatchObject({ customer_name: 'Other Ltd' });
    expect((await showQuote(quote_id)).customer_name).toBe(customer_name);
    // An event with the same name changes nothing.
    await say(opened.workspace, 'finance.customer.updated', { ...event, active: false, version: 3 }, { position: 3 });
    expect(await dealOf(opened, renamed)).toMatchObject({ customer_name: 'Ada & Sons', version: version + 1 });
  });

  test('ignores a customer with the same ID in another workspace', async () => {
    const [here, there] = [await shop(), await shop()];
    const customer_id = here.customer({ name: 'Ada Ltd' });
    const id = await deal(here, customer_id);
    await say(there.workspace, 'finance.customer.updated', { customer_id, name: 'Mine now', active: true, version: 2 });
    expect(await dealOf(here, id)).toMatchObject({ customer_name: 'Ada Ltd' });
  });
});

const opened = await shop();
const post = (path: string, body: object) => opened.owner.post(path, body);
const OPPORTUNITY = '/api/sales/opportunitity/store';
const MEETING = '/api/sales/meeting/store';
const meetingWith = (parent_id: string) => ({
  name: 'Review',
  start: '2026-10-25T09:00:00Z',
  end: '2026-10-25T10:00:00Z',
  parent_type: 'customer',
  parent_id,
});
await copyConformance({
  contents: crm,
  serving,
  finance,
  workspace: opened.workspace,
  writers: {
    deals: {
      'POST /api/deal/create': {
        reads_owner: true,
        prepare: async (customer_id) => () => opened.owner.post('/api/deal/create', { name: 'Fleet', customer_id }),
      },
      'POST /api/deal/update/{id}': {
        reads_owner: true,
        async prepare(customer_id) {
          const id = await deal(opened, opened.customer());
          return () => opened.owner.post(`/api/deal/update/${id}`, { customer_id });
        },
      },
      'an update to the same customer': {
        reads_owner: true,
        async prepare(customer_id) {
          const id = await deal(opened, customer_id);
          return () => opened.owner.post(`/api/deal/update/${id}`, { customer_id });
        },
      },
    },
    opportunities: {
      [`POST ${OPPORTUNITY}`]: {
        reads_owner: true,
        prepare: async (customer_id) => () => post(OPPORTUNITY, { name: 'Fleet', customer_id }),
      },
      'POST /api/sales/opportunities/update/{id}': {
        reads_owner: true,
        async prepare(customer_id) {
          const { id } = (await post(OPPORTUNITY, { name: 'Fleet' })).body.data;
          return () => post(`/api/sales/opportunities/update/${id}`, { customer_id });
        },
      },
    },
    meetings: {
      [`POST ${MEETING}`]: {
        reads_owner: true,
        prepare: async (customer_id) => () => post(MEETING, meetingWith(customer_id)),
      },
      'POST /api/sales/meeting/update/{id}': {
        reads_owner: true,
        async prepare(customer_id) {
          const { id } = (await post(MEETING, meetingWith(opened.customer()))).body.data;
          return () => post(`/api/sales/meeting/update/${id}`, { parent_type: 'customer', parent_id: customer_id });
        },
      },
    },
  },
});
