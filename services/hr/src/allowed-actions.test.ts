import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openHr } from '../test/fixture.ts';
import { hr } from './hr.ts';

const { serving, company: openCompany } = await openHr();
const company = await openCompany();
await createOneOfEach(company, serving, company.owner.caller.user_id);

const own = 'the owner has no such record';
actionConformance({
  contents: hr,
  serving,
  ...company,
  // Whether an employee can be reminded depends on the address of their account.
  other_records: ['without_address'],
  empty: {
    'leaveApprovals.list': 'no employee waits for the owner',
    'ownLeave.list': own,
    'awards.own': own,
    'promotions.own': own,
    'employeeTransfers.own': own,
    'resignations.own': own,
    'terminations.own': own,
    'warnings.own': own,
    'complaints.own': own,
    'payslips.mine': own,
    'terminations.list': 'the only termination is the own one, which the list hides',
  },
});
