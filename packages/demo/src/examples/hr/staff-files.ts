/**
 * Factories for the files of employees, and their example calls. `$employee_document` is the ID of a shared record, and
 * `$employee_document!` the ID of a record created for the call.
 */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';
import { createEmployee, staff } from './staff.ts';

const passport = { name: 'passport.txt', type: 'text/plain', text: 'Passport no. C01X00T47\n' };
const bank = { bank_name: 'Commerzbank', account_number: 'DE89 3704 0044 0532 0130 00' };

const document: ExampleFactory = async (recorder, serial) => {
  const { id: employee_id } = await createEmployee(recorder, serial + 1_000);
  const { id: type_id } = await recorder.first('documentTypes.list');
  const made = await recorder.call('employeeDocuments.create', {
    path: { id: employee_id },
    body: { type_id },
    file: passport,
  });
  return { ...made, token: String(made['url']).split('/').at(-1) };
};

/** Change request for a new bank account, from an employee with a login. */
const changeRequest: ExampleFactory = async (recorder, serial) => {
  const { access_token } = await staff.clerk(recorder, serial + 1_100);
  const { change_requests } = await recorder.call('ownProfile.change', { as: String(access_token), body: { bank } });
  const [request] = change_requests as { id: string }[];
  return { ...request!, access_token };
};

export const staffFiles = { employee_document: document, change_request: changeRequest } satisfies Record<
  string,
  ExampleFactory
>;

export const staffFileCalls = {
  'employeeDocuments.create': {
    path: { id: '$employee!' },
    body: { type_id: '$document_type', expiry: '2036-05-31' },
    file: passport,
  },
  'employeeDocuments.remove': {
    path: { id: '$employee_document!.employee_id', document_id: '$employee_document!' },
  },
  'employeeDocuments.download': { as: '', path: { token: '$employee_document.token' } },
  'employeeErasure.erase': { path: { id: '$leaver!' }, body: { force_legal_basis: 'Art. 17 GDPR' } },
  'changeRequests.decide': { path: { id: '$change_request!' }, body: { action: 'confirm', reason: 'Seen the card' } },
  'ownProfile.change': {
    as: '$clerk!.access_token',
    body: { phone: '+49 40 1234567', address: 'Am Hafen 1, Hamburg', bank },
  },
  'ownRecords.show': { as: '$change_request.access_token' },
} satisfies Record<string, ExampleCall>;
