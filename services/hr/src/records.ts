/** Types of records whose history users can read. */
import { recordTypes } from '@suite/chassis/service';
import { Attendance } from './attendance/attendance/attendance.schema.ts';
import { Department } from './employees/departments/department.schema.ts';
import { Employee } from './employees/employees/employee.schema.ts';
import { LeaveType } from './employment/leave-types/leave-type.schema.ts';
import { SalaryComponent } from './employment/salary-components/component.schema.ts';
import { LeaveApplication } from './leave/leave-applications/leave-application.schema.ts';
import { Announcement } from './notices/announcements/announcement.schema.ts';
import { Event } from './notices/events/event.schema.ts';
import { HrmDocument } from './notices/hrm-documents/document.schema.ts';
import { Branch } from './organisation/branches/branch.schema.ts';
import { Designation } from './organisation/designations/designation.schema.ts';
import { DocumentType } from './organisation/document-types/document-type.schema.ts';
import { EmployeeLoan } from './payroll/employee-loans/loan.schema.ts';
import { Payroll, PayrollEntry } from './payroll/payrolls/payroll.schema.ts';
import { Award } from './records/awards/award.schema.ts';
import { Complaint } from './records/complaints/complaint.schema.ts';
import { EmployeeTransfer } from './records/employee-transfers/employee-transfer.schema.ts';
import { Promotion } from './records/promotions/promotion.schema.ts';
import { Resignation } from './records/resignations/resignation.schema.ts';
import { Termination } from './records/terminations/termination.schema.ts';
import { Warning } from './records/warnings/warning.schema.ts';
import { HolidayCalendar } from './time/calendars/calendar.schema.ts';
import { Holiday } from './time/holidays/holiday.schema.ts';
import { Shift } from './time/shifts/shift.schema.ts';
import { AttendanceDevice } from './attendance/attendance-devices/device.schema.ts';
import { ChangeRequest } from './employees/change-requests/request.schema.ts';
import { Acknowledgment } from './notices/acknowledgments/acknowledgment.schema.ts';

export const records = recordTypes('hr', {
  employee: { table: 'employees', schema: Employee, permissions: ['employee.view'], module: 'hrm' },
  branch: { table: 'branches', schema: Branch, permissions: ['branch.view'], module: 'hrm' },
  department: { table: 'departments', schema: Department, permissions: ['department.view'], module: 'hrm' },
  designation: { table: 'designations', schema: Designation, permissions: ['designation.view'], module: 'hrm' },
  document_type: { table: 'document_types', schema: DocumentType, permissions: ['document_type.view'], module: 'hrm' },
  leave_type: { table: 'leave_types', schema: LeaveType, permissions: ['leave_type.view'], module: 'hrm' },
  leave: { table: 'leave_applications', schema: LeaveApplication, permissions: ['leave.view'], module: 'hrm' },
  shift: { table: 'shifts', schema: Shift, permissions: ['shift.view'], module: 'hrm' },
  holiday_calendar: {
    table: 'holiday_calendars',
    schema: HolidayCalendar,
    permissions: ['holiday.view'],
    module: 'hrm',
  },
  holiday: { table: 'holidays', schema: Holiday, permissions: ['holiday.view'], module: 'hrm' },
  attendance: { table: 'attendances', schema: Attendance, permissions: ['attendance.view'], module: 'hrm' },
  salary_component: {
    table: 'salary_components',
    schema: SalaryComponent,
    permissions: ['salary_component.view'],
    module: 'hrm',
  },
  payroll_entry: { table: 'payroll_entries', schema: PayrollEntry, permissions: ['payroll.view'], module: 'hrm' },
  payroll: { table: 'payrolls', schema: Payroll, permissions: ['payroll.view'], module: 'hrm' },
  award: { table: 'awards', schema: Award, permissions: ['award.view'], module: 'hrm' },
  promotion: { table: 'promotions', schema: Promotion, permissions: ['promotion.view'], module: 'hrm' },
  employee_transfer: {
    table: 'employee_transfers',
    schema: EmployeeTransfer,
    permissions: ['employee_transfer.view'],
    module: 'hrm',
  },
  resignation: { table: 'resignations', schema: Resignation, permissions: ['resignation.view'], module: 'hrm' },
  termination: { table: 'terminations', schema: Termination, permissions: ['termination.view'], module: 'hrm' },
  warning: { table: 'warnings', schema: Warning, permissions: ['warning.view'], module: 'hrm' },
  complaint: { table: 'complaints', schema: Complaint, permissions: ['complaint.view'], module: 'hrm' },
  employee_loan: { table: 'employee_loans', schema: EmployeeLoan, permissions: ['employee.salary'], module: 'hrm' },
  announcement: { table: 'announcements', schema: Announcement, permissions: ['announcement.view'], module: 'hrm' },
  hrm_document: { table: 'hrm_documents', schema: HrmDocument, permissions: ['hrm_document.view'], module: 'hrm' },
  event: { table: 'events', schema: Event, permissions: ['event.view'], module: 'hrm' },
  attendance_device: {
    table: 'attendance_devices',
    schema: AttendanceDevice,
    permissions: ['hr_setting.view'],
    module: 'hrm',
  },
  change_request: { table: 'change_requests', schema: ChangeRequest, permissions: ['employee.update'], module: 'hrm' },
  acknowledgment: {
    table: 'acknowledgments',
    schema: Acknowledgment,
    permissions: ['acknowledgment.view'],
    module: 'hrm',
  },
});
