/**
 * Factories for tickets of the support desk, and their example calls. `$linked_ticket` is the ID of a shared record,
 * and `$linked_ticket!` the ID of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const requester = (serial: number) => ({ name: 'Rita Requester', email: `rita.${serial}@bikes.example` });

const ticketWords = (serial: number) => ({
  subject: `The chain slips (${serial})`,
  description: 'It slips under load.',
});

/** Ticket that an external requester has opened. */
const ticket: ExampleFactory = (recorder, serial) =>
  recorder.call('tickets.create', { body: { ...ticketWords(serial), requester: requester(1) } });

/** Creates a ticket in the state that a call needs. */
const ticketIn =
  (status: string): ExampleFactory =>
  async (recorder, serial) => {
    const { id } = await ticket(recorder, serial);
    return await recorder.call('tickets.update', { path: { ticket_id: id }, body: { status } });
  };

/** Creates a ticket of the owner, who marks it as solved. */
const ownTicket = async (recorder: ExampleRecorder, serial: number) => {
  const own = await recorder.call('tickets.create', { body: ticketWords(serial) });
  await recorder.call('ticketReplies.create', {
    path: { ticket_id: own.id },
    body: { body: 'It works again.', status: 'resolved' },
  });
  return own;
};

/** Creates a resolved ticket, with the link that was e-mailed to its requester. */
const linkedTicket: ExampleFactory = async (recorder, serial) => {
  const someone = requester(serial + 1_000);
  const { id } = await recorder.call('tickets.create', { body: { ...ticketWords(serial), requester: someone } });
  await recorder.call('tickets.update', { path: { ticket_id: id }, body: { status: 'resolved' } });
  return { id, token: await recorder.mailed(someone.email, 'public') };
};

/** Creates a file of a ticket, which needs a form. */
const ticketFile: ExampleFactory = async (recorder, serial) => {
  const { email, password } = recorder.owner;
  const session = await recorder.call('sessions.login', { body: { email, password } });
  const form = new FormData();
  for (const [name, value] of Object.entries(ticketWords(serial))) form.set(name, value);
  form.append('files', new Blob(['It slips.'], { type: 'text/plain' }), 'chain.txt');
  const headers = { authorization: `Bearer ${String(session['access_token'])}` };
  const response = await fetch(`${recorder.gateway}/api/support-ticket/ticket/store`, {
    method: 'POST',
    headers,
    body: form,
  });
  const { data: made } = (await response.json()) as { data: { id: string; attachments: { url: string }[] } };
  return { id: made.id, token: String(made.attachments[0]?.url.split('/').at(-1)) };
};

const category: ExampleFactory = (recorder, serial) =>
  recorder.call('supportCategories.create', { body: { name: `Wheels ${serial}`, color: '#64748b' } });

const canned: ExampleFactory = (recorder, serial) =>
  recorder.call('cannedReplies.create', {
    body: { title: `Thanks ${serial}`, body: 'Dear {{requester.first_name}}, thank you.' },
  });

export const desk = {
  ticket,
  own_ticket: ownTicket,
  resolved_ticket: ticketIn('resolved'),
  linked_ticket: linkedTicket,
  ticket_file: ticketFile,
  support_category: category,
  canned_reply: canned,
} satisfies Record<string, ExampleFactory>;

const on = (name: string) => ({ ticket_id: `$${name}` });

export const deskCalls = {
  'tickets.create': { body: { ...ticketWords(1), requester: requester(1), priority: 'high', tags: ['drivetrain'] } },
  'tickets.show': { path: on('ticket') },
  'tickets.update': { path: on('ticket!'), body: { status: 'pending', pending_until: '2999-01-01T08:00:00Z' } },
  'tickets.remove': { path: on('ticket!') },
  'ticketSteps.merge': { path: on('ticket!'), body: { into: '$ticket' } },
  'ticketSteps.close': { path: on('resolved_ticket!') },
  'ticketSteps.rate': { path: on('own_ticket!'), body: { rating: 5, comment: 'Quick and kind.' } },
  'ticketSteps.revokeLink': { path: on('ticket') },
  'ticketSteps.bulk': { body: { ticket_ids: ['$ticket'], tags_add: ['drivetrain'] } },
  'ticketReplies.create': { path: on('ticket'), body: { body: 'Is the chain new?', status: 'pending' } },
  'ticketNotes.create': { path: on('ticket'), body: { body: 'The chain is worn, I think.' } },
  'supportCategories.create': { body: { name: 'Frames', color: '#64748b', priority: 'high' } },
  'supportCategories.update': { path: { id: '$support_category' }, body: { color: '#3b82f6' } },
  'supportCategories.remove': { path: { id: '$support_category!' }, body: {} },
  'cannedReplies.create': { body: { title: 'On its way', body: 'Dear {{requester.first_name}}, it is on its way.' } },
  'cannedReplies.update': { path: { id: '$canned_reply' }, body: { active: true } },
  'cannedReplies.remove': { path: { id: '$canned_reply!' } },
  'cannedReplies.preview': { path: { id: '$canned_reply' }, body: { ticket_id: '$ticket' } },
  'ticketLinks.show': { as: '', path: { token: '$linked_ticket.token' } },
  'ticketLinks.reply': {
    as: '',
    path: { token: '$linked_ticket.token' },
    body: { body: 'It works again, thank you.' },
  },
  'ticketLinks.rate': { as: '', path: { token: '$linked_ticket!.token' }, body: { rating: 5 } },
  'ticketLinks.close': { as: '', path: { token: '$linked_ticket!.token' } },
  'ticketFiles.download': { as: '', path: { token: '$ticket_file.token' } },
  'supportSettings.update': { body: { reopen_days: 7 } },
} satisfies Record<string, ExampleCall>;
