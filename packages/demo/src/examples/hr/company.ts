/**
 * Factories for branches, departments, designations and shifts, and their example calls. `$branch` is the ID of a
 * record that calls share.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const branch: ExampleFactory = (recorder, serial) =>
  recorder.call('branches.create', { body: { name: `Harbour ${serial}` } });

/** Creates a branch for other records. */
const branchOf = async (recorder: ExampleRecorder, serial: number) => (await branch(recorder, serial + 100)).id;

const department: ExampleFactory = async (recorder, serial) =>
  recorder.call('departments.create', {
    body: { name: `Workshop ${serial}`, branch_id: await branchOf(recorder, serial) },
  });

const designation: ExampleFactory = async (recorder, serial) => {
  const { id } = await department(recorder, serial + 100);
  return await recorder.call('designations.create', { body: { name: `Mechanic ${serial}`, department_id: id } });
};

const documentType: ExampleFactory = (recorder, serial) =>
  recorder.call('documentTypes.create', { body: { name: `Driving licence ${serial}` } });

const night = (name: string) => ({
  name,
  start: '22:00',
  end: '06:00',
  break_minutes: 30,
  days: [1, 2, 3, 4, 5],
  timezone: 'Europe/Berlin',
  is_night: true,
});

const shift: ExampleFactory = (recorder, serial) => recorder.call('shifts.create', { body: night(`Night ${serial}`) });

const leaveType: ExampleFactory = (recorder, serial) =>
  recorder.call('leaveTypes.create', {
    body: { name: `Study leave ${serial}`, code: `study_${serial}`, days_per_year: '5' },
  });

export const company = {
  branch,
  department,
  designation,
  document_type: documentType,
  shift,
  leave_type: leaveType,
} satisfies Record<string, ExampleFactory>;

const on = (name: string) => ({ id: `$${name}!` });

export const companyCalls = {
  'branches.create': { body: { name: 'Hamburg' } },
  'branches.update': { path: on('branch'), body: { name: 'Hamburg harbour' } },
  'branches.remove': { path: on('branch') },
  'departments.create': { body: { name: 'Repairs', branch_id: '$branch' } },
  'departments.update': { path: on('department'), body: { active: false } },
  'departments.remove': { path: on('department') },
  'designations.create': { body: { name: 'Foreman', department_id: '$department' } },
  'designations.update': { path: on('designation'), body: { name: 'Master mechanic' } },
  'designations.remove': { path: on('designation') },
  'documentTypes.create': { body: { name: 'Work permit', required: true } },
  'documentTypes.update': { path: on('document_type'), body: { required: false } },
  'documentTypes.remove': { path: on('document_type') },
  'leaveTypes.create': {
    body: {
      name: 'Parental leave',
      code: 'parental',
      days_per_year: '20',
      carry_forward_max: '5',
      carry_expires_on: '03-31',
      second_step: true,
    },
  },
  'leaveTypes.update': { path: on('leave_type'), body: { min_notice_days: 14, requires_document_after: 3 } },
  'leaveTypes.remove': { path: on('leave_type') },
  'shifts.create': { body: night('Night watch') },
  'shifts.update': { path: on('shift'), body: { start: '21:30' } },
  'shifts.remove': { path: on('shift') },
} satisfies Record<string, ExampleCall>;
