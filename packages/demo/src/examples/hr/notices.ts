/**
 * Factories for announcements, documents and events for employees, and their example calls. `$hrm_document` is the ID
 * of a shared record, and `$hrm_document!` the ID of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';

const PARTY = { start: '2031-06-20T18:00:00+02:00', end: '2031-06-20T23:00:00+02:00', timezone: 'Europe/Berlin' };

const announcement: ExampleFactory = (recorder, serial) =>
  recorder.call('announcements.create', {
    body: { title: `Fire drill ${serial}`, body: 'On Friday at ten.', requires_ack: true },
  });

const event: ExampleFactory = (recorder, serial) =>
  recorder.call('events.create', { body: { title: `Summer party ${serial}`, location: 'The roof', ...PARTY } });

const ofCompany: ExampleFactory = async (recorder, serial) => {
  const { id: type_id } = await recorder.first('documentTypes.list');
  const made = await recorder.call('hrmDocuments.create', {
    body: { title: `House rules ${serial}`, type_id },
    file: { name: 'rules.txt', type: 'text/plain', text: 'Wear a helmet.\n' },
  });
  return { ...made, token: String(made['url']).split('/').at(-1) };
};

/** Creates a due acknowledgment, with the token of its employee. */
const dueAcknowledgment: ExampleFactory = async (recorder: ExampleRecorder, serial): Promise<Row> => {
  const clerk = await recorder.shared('clerk');
  const { id } = await announcement(recorder, serial);
  await recorder.call('announcements.updateStatus', { path: { id }, body: { action: 'publish' } });
  const shown = await recorder.call('announcements.show', { as: String(clerk['access_token']), path: { id } });
  return { ...(shown['acknowledgment'] as Row), access_token: clerk['access_token'] };
};

export const notices = {
  announcement,
  event,
  hrm_document: ofCompany,
  acknowledgment: dueAcknowledgment,
} satisfies Record<string, ExampleFactory>;

export const noticeCalls = {
  'announcements.create': {
    body: {
      title: 'New opening hours',
      body: 'From Monday on.',
      audience: { branch_ids: ['$branch'] },
      end: '2099-12-31',
    },
  },
  'announcements.show': { path: { id: '$announcement' } },
  'announcements.update': { path: { id: '$announcement!' }, body: { title: 'Fire drill on Monday' } },
  'announcements.updateStatus': { path: { id: '$announcement!' }, body: { action: 'publish' } },
  'announcements.remove': { path: { id: '$announcement!' } },
  'events.create': { body: { title: 'Company outing', location: 'Harbour', ...PARTY } },
  'events.show': { path: { id: '$event' } },
  'events.update': { path: { id: '$event!' }, body: { location: 'The garden' } },
  'events.updateStatus': { path: { id: '$event!' }, body: { action: 'publish' } },
  'events.remove': { path: { id: '$event!' } },
  'hrmDocuments.create': {
    body: { title: 'Travel rules', type_id: '$document_type' },
    file: { name: 'travel.txt', type: 'text/plain', text: 'By train.\n' },
  },
  'hrmDocuments.show': { path: { id: '$hrm_document' } },
  'hrmDocuments.update': { path: { id: '$hrm_document!' }, body: { title: 'Rules of the house' } },
  'hrmDocuments.updateStatus': { path: { id: '$hrm_document!' }, body: { action: 'publish' } },
  'hrmDocuments.download': { as: '', path: { token: '$hrm_document.token' } },
  'hrmDocuments.remove': { path: { id: '$hrm_document!' } },
  'acknowledgments.remind': { path: { id: '$acknowledgment!' } },
  'acknowledgments.acknowledge': { as: '$acknowledgment.access_token', path: { acknowledgment_id: '$acknowledgment' } },
  'home.show': { as: '$clerk.access_token' },
  'home.holidays': { as: '$clerk.access_token', query: { year: '2027' } },
  'home.calendar': { as: '$clerk.access_token', body: { month: '2027-05' } },
} satisfies Record<string, ExampleCall>;
