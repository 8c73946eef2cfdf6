import { input } from '@suite/chassis/fields';
import { z } from 'zod';
import { ChangeRequest } from '../../employees/change-requests/request.schema.ts';
import { EmployeeChanges } from '../../employees/employees/employee-input.schema.ts';
import { PlainEmployee } from '../../employees/employees/employee.schema.ts';

const { phone, private_phone, address, emergency_contact, hide_birthday, bank, national_id, tax_id, version } =
  EmployeeChanges.shape;

export const ProfileChanges = input({
  phone,
  private_phone,
  address,
  emergency_contact,
  hide_birthday,
  bank: bank.unwrap().unwrap().optional().describe('A change awaits the approval of another user.'),
  national_id: national_id.unwrap().unwrap().optional().describe('A change awaits the approval of another user.'),
  tax_id: tax_id.unwrap().unwrap().optional().describe('A change awaits the approval of another user.'),
  version,
});

/** Record of the caller with their change requests. */
export const OwnProfile = PlainEmployee.extend({
  change_requests: z.array(ChangeRequest.omit({ employee: true })).describe('Pending change requests.'),
}).meta({ id: 'OwnProfile' });

export type ProfileChanges = z.output<typeof ProfileChanges>;
