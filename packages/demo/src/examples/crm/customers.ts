/**
 * Factories for leads, deals and their activities, and their example calls. `$lead` is the ID of a shared record, and
 * `$lead!` the ID of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';

const stageOf =
  (list: string, position: number): ExampleFactory =>
  async (recorder) => {
    const pipeline_id = (await recorder.shared('pipeline')).id;
    const query = { per_page: '100', sort: 'position', pipeline_id };
    return ((await recorder.call(list, { query })) as unknown as Row[])[position]!;
  };

const ofBoard = (kind: 'lead' | 'deal'): Record<string, ExampleFactory> => {
  const at = { path: { [`${kind}_id`]: `$${kind}` } };
  /** Creates a new record and adds something to it. */
  const added = async (
    recorder: ExampleRecorder,
    operation: string,
    body: object,
    make: ExampleFactory,
    serial: number,
  ) => {
    const { id } = await make(recorder, serial);
    await recorder.call(operation, { path: { [`${kind}_id`]: id }, body });
    return { id, [`${kind}_id`]: id };
  };
  const member =
    (operation: string, field: string, shared: string): ExampleFactory =>
    async (recorder, serial) => {
      const { id } = await recorder.shared(shared);
      const body = field === 'products' ? { products: [{ product_id: id }] } : { [field]: [id] };
      return { ...(await added(recorder, operation, body, kind === 'lead' ? lead : deal, serial)), of: id };
    };
  return {
    [`${kind}_stage`]: stageOf(`${kind}Stages.list`, 1),
    [`own_${kind}_stage`]: (recorder, serial) =>
      recorder.call(`${kind}Stages.create`, { body: { pipeline_id: '$pipeline', name: `Negotiation ${serial}` } }),
    [`${kind}_task`]: (recorder, serial) =>
      recorder.call(`${kind}Tasks.create`, {
        body: { [`${kind}_id`]: `$${kind}`, name: `Send the catalogue (${serial})`, date: '2026-12-01', time: '09:30' },
      }),
    [`${kind}_call`]: (recorder) =>
      recorder.call(`${kind}Calls.create`, {
        body: {
          [`${kind}_id`]: `$${kind}`,
          subject: 'First call',
          type: 'outbound',
          duration_seconds: 300,
          at: '2026-11-20T09:30:00Z',
        },
      }),
    [`${kind}_file`]: async (recorder) => {
      const { id, url } = await recorder.call(`${kind}Files.create`, at);
      return { id, [`${kind}_id`]: (await recorder.shared(kind)).id, token: String(url).split('/').at(-1) };
    },
    [`${kind}_source`]: member(`${kind}Sources.create`, 'source_ids', 'source'),
    [`${kind}_user`]: member(`${kind}Users.create`, 'user_ids', 'colleague'),
    [`${kind}_product`]: member(`${kind}Products.assign`, 'products', 'product'),
    ...(kind === 'deal' && { deal_client: member('dealClients.create', 'client_ids', 'client') }),
  };
};

const lead: ExampleFactory = (recorder, serial) =>
  recorder.call('leads.create', {
    body: {
      name: `Alan Turing (${serial})`,
      subject: 'Ten city bicycles',
      company: 'Bletchley Cycles',
      email: `alan.${serial}@bletchley.example`,
      expected_value: '8900.00',
    },
  });
const deal: ExampleFactory = (recorder, serial) =>
  recorder.call('deals.create', { body: { name: `City bicycles (${serial})`, price: '8900.00' } });

export const customers: Record<string, ExampleFactory> = {
  lead,
  deal,
  pipeline: (recorder) => recorder.first('pipelines.list', { sort: 'created_at' }),
  own_pipeline: (recorder, serial) => recorder.call('pipelines.create', { body: { name: `Wholesale ${serial}` } }),
  label: (recorder, serial) => recorder.call('labels.create', { body: { name: `Urgent ${serial}`, color: '#dc2626' } }),
  source: (recorder, serial) => recorder.call('sources.create', { body: { name: `Trade fair ${serial}` } }),
  ...ofBoard('lead'),
  ...ofBoard('deal'),
};

const person = { name: 'Ada Lovelace', company: 'Analytical Engines', email: 'ada@engines.example' };
const call = { subject: 'What they need', type: 'outbound', at: '2026-11-20T09:30:00Z', duration_seconds: 420 };
const task = { name: 'Send the offer', date: '2026-12-01', time: '09:30', priority: 'high' };

const boardCalls = (kind: 'lead' | 'deal'): Record<string, ExampleCall> => {
  const id = `${kind}_id`;
  return {
    [`${kind}s.addLabel`]: { body: { label_ids: ['$label'] } },
    [`${kind}Stages.create`]: {
      body: { pipeline_id: '$pipeline', name: 'Waiting for the offer', type: 'ongoing', color: '#f59e0b' },
    },
    [`${kind}Stages.update`]: { path: { id: `$own_${kind}_stage!` }, body: { name: 'Offer sent', color: '#3b82f6' } },
    [`${kind}Stages.remove`]: { path: { id: `$own_${kind}_stage!` } },
    [`${kind}Tasks.create`]: { body: { [id]: `$${kind}`, ...task } },
    [`${kind}Tasks.update`]: { body: { status: 'done' } },
    [`${kind}Calls.create`]: { body: { [id]: `$${kind}`, ...call, result: 'They want an offer.' } },
    [`${kind}Calls.update`]: { body: { result: 'They will call back.' } },
    [`${kind}Discussions.create`]: { body: { comment: 'They need the bicycles before spring.' } },
    [`${kind}Emails.create`]: {
      body: { to: ['ada@engines.example'], subject: 'Your offer', body: 'Dear Ada,\nhere is what we spoke about.' },
    },
    [`${kind}Files.download`]: { as: '', path: { token: `$${kind}_file.token` } },
    [`${kind}Files.remove`]: { path: { [id]: `$${kind}_file!.${id}`, file_id: `$${kind}_file!` } },
    [`${kind}Sources.create`]: { body: { source_ids: ['$source'] } },
    [`${kind}Sources.remove`]: { path: { [id]: `$${kind}_source!`, source_id: `$${kind}_source!.of` } },
    [`${kind}Users.create`]: { body: { user_ids: ['$colleague'] } },
    [`${kind}Users.remove`]: { path: { [id]: `$${kind}_user!`, user_id: `$${kind}_user!.of` } },
    [`${kind}Products.assign`]: { body: { products: [{ product_id: '$product', qty: '10', price: '890.00' }] } },
    [`${kind}Products.remove`]: { path: { [id]: `$${kind}_product!`, product_id: `$${kind}_product!.of` } },
  };
};

export const customerCalls: Record<string, ExampleCall> = {
  ...boardCalls('lead'),
  ...boardCalls('deal'),
  'pipelines.create': { body: { name: 'Leasing' } },
  'pipelines.update': { path: { id: '$own_pipeline!' }, body: { name: 'Leasing and rental' } },
  'pipelines.remove': { path: { id: '$own_pipeline!' } },
  'pipelines.save': { body: { name: 'Repairs' } },
  'leadStages.save': { body: { pipeline_id: '$pipeline', name: 'Visited the shop', type: 'ongoing' } },
  'leadStages.listOfPipeline': { body: { pipeline_id: '$pipeline' } },
  'labels.create': { body: { name: 'Key customer', color: '#3b82f6' } },
  'labels.update': { body: { name: 'Returning customer', color: '#16a34a' } },
  'sources.create': { body: { name: 'Cycling club' } },
  'sources.update': { body: { name: 'Cycling clubs nearby' } },
  'batches.run': {
    body: {
      calls: [
        {
          id: 'lead',
          method: 'POST',
          path: '/api/lead/create',
          body: { name: 'Mary Somerville', company: 'Somerville Cycles' },
        },
        {
          id: 'note',
          method: 'POST',
          path: '/api/lead-discussion/store/{{lead.data.id}}',
          body: { comment: '{{lead.data.company}} needs the bicycles before spring.' },
        },
      ],
      stop_on_error: true,
    },
  },
  'leads.create': {
    body: {
      ...person,
      subject: 'Fleet of bicycles',
      phone: '+44 20 7946 0018',
      expected_value: '12500.00',
      next_follow_up: '2026-12-01',
      source_ids: ['$source'],
      label_ids: ['$label'],
    },
  },
  'leads.update': { body: { expected_value: '14000.00', notes: 'Wants a maintenance contract as well.' } },
  'leads.convert': { body: { deal_name: 'Fleet of bicycles', client: { name: person.name, email: person.email } } },
  'leads.showBoard': { body: { pipeline_id: '$pipeline', per_column: 2 } },
  'leads.showDetails': { body: { id: '$lead' } },
  'leads.showHome': { body: {} },
  'leads.move': { body: { lead_id: '$lead!', stage_id: '$lead_stage', position: 1 } },
  'leads.removeFromBoard': { body: { id: '$lead!' } },
  'leads.save': { body: { ...person, subject: 'Spare parts' } },
  'deals.create': { body: { name: 'Fleet of bicycles', price: '12500.00', currency: 'EUR', client_ids: ['$client'] } },
  'deals.update': { body: { price: '11900.00', expected_close: '2026-12-31' } },
  'dealClients.create': { body: { client_ids: ['$client'] } },
  'dealClients.remove': { path: { deal_id: '$deal_client!', client_id: '$deal_client!.of' } },
};
