/** Statuses of an employee. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

/** Permissions to see personal data of other employees. */
export const PERSONAL = ['employee.update', 'employee.identity'] as const;

/**
 * Schedule that applies effective dates. New employees become active and former employees lose their login on the day
 * itself.
 */
export const KEEP_DATES = 'hr.keep-effective-dates';

export const employeeStates = lifecycle(
  'employee',
  {
    onboarding: { activate: 'active' },
    active: { suspend: 'suspended', begin_long_leave: 'on_leave_long', give_notice: 'on_notice' },
    on_leave_long: { end_long_leave: 'active', give_notice: 'on_notice' },
    suspended: { resume: 'active', give_notice: 'on_notice' },
    on_notice: { stay: 'active', leave: 'left' },
    left: { rehire: 'onboarding' },
  },
  {
    actions: {
      update: {
        permission: 'employee.update',
        in: ['onboarding', 'active', 'on_leave_long', 'suspended', 'on_notice'],
      },
      activate: 'employee.update',
      suspend: 'employee.update',
      resume: 'employee.update',
      begin_long_leave: 'employee.update',
      end_long_leave: 'employee.update',
      give_notice: 'termination.decide',
      stay: 'termination.decide',
      leave: { by: KEEP_DATES },
      rehire: 'employee.create',
      delete: 'employee.delete',
    },
  },
);

export const OwnRecord = fault(
  409,
  'own_record',
  'You cannot create or change your own HR records. Ask another HR user.',
);
export const EmploymentEnded = fault(
  409,
  'employment_ended',
  'This employment has ended. Rehire the employee to change it.',
);
export const ExitBeforeJoining = fault(
  422,
  'exit_before_joining',
  'The last day is before the joining date. Choose a later day.',
);
