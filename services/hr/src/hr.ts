import { service } from '@suite/chassis/service';
import { userFollowers } from '@suite/user-copies';
import { noticeSchedule } from './notices/notices/notice-schedule.ts';
import { overdueReminderSchedule } from './notices/acknowledgments/reminders.ts';
import * as acknowledgments from './notices/acknowledgments/acknowledgments.api.ts';
import * as announcements from './notices/announcements/announcements.api.ts';
import * as home from './home/home/home.api.ts';
import * as events from './notices/events/events.api.ts';
import * as hrmDocuments from './notices/hrm-documents/hrm-documents.api.ts';
import { deliverQueuedNotices } from './notices/notice-mails/mail-delivery.ts';
import { announcementStates, documentStates, eventStates } from './notices/notices/notice.rules.ts';
import { acknowledgmentStates } from './notices/acknowledgments/acknowledgment.rules.ts';
import { requestAcknowledgmentsOnHire } from './consumers/hr.employee-created.ts';
import { requestAcknowledgmentsByStatus } from './consumers/hr.employee-status-changed.ts';
import {
  requestAcknowledgmentsOnTransfer,
  recountDaysOfMover,
  recountLeaveOfMover,
} from './consumers/hr.employee-updated.ts';
import * as changeRequests from './employees/change-requests/change-requests.api.ts';
import { requestStates } from './employees/change-requests/request.rules.ts';
import * as employeeDocuments from './employment/employee-documents/documents.api.ts';
import * as employeeErasure from './employees/employee-erasure/employee-erasure.api.ts';
import * as ownRecords from './home/own-records/own-records.api.ts';
import * as ownProfile from './home/own-profile/profile.api.ts';
import * as attendances from './attendance/attendance/attendances.api.ts';
import * as attendanceDevices from './attendance/attendance-devices/devices.api.ts';
import * as attendanceImport from './attendance/attendance-import/attendance-import.api.ts';
import { closeDaysOfLeaver, closeDueDays } from './attendance/attendance-jobs/close-days.ts';
import { markDueAbsences } from './attendance/attendance-jobs/mark-absences.ts';
import * as awards from './records/awards/awards.api.ts';
import * as branches from './organisation/branches/branches.api.ts';
import * as holidayCalendars from './time/calendars/calendars.api.ts';
import * as clocking from './attendance/clocking/clocking.api.ts';
import { recountDays, recountHolidays } from './consumers/hr.holiday-calendar-changed.ts';
import { recountLeaveOfShift } from './consumers/hr.shift-changed.ts';
import * as complaints from './records/complaints/complaints.api.ts';
import { recordPeriodLock } from './consumers/finance.period-locked.ts';
import { forgetUser } from './consumers/platform.user-deleted.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { copySettings } from './consumers/platform.workspace-settings-changed.ts';
import { countProjectTime } from './consumers/projects.time-approved.ts';
import { discountProjectTime } from './consumers/projects.time-reopened.ts';
import * as departments from './employees/departments/departments.api.ts';
import * as designations from './organisation/designations/designations.api.ts';
import * as deputies from './leave/deputies/deputies.api.ts';
import * as documentTypes from './organisation/document-types/document-types.api.ts';
import * as employeeHistory from './employment/employee-history/employee-history.api.ts';
import * as employeeLoans from './payroll/employee-loans/loans.api.ts';
import * as employeeStatus from './records/employee-status/employee-status.api.ts';
import * as employeeTransfers from './records/employee-transfers/employee-transfers.api.ts';
import * as employees from './employees/employees/employees.api.ts';
import { effectiveDatesSchedule } from './employment/employment/effective-dates.ts';
import { finishOpenPayouts, payLoanOut } from './payroll/employee-loans/loan-payout.ts';
import { loanStates } from './payroll/employee-loans/loan.rules.ts';
import { employeeStates } from './employment/employment/employment.rules.ts';
import { PrismaClient } from './generated/client.ts';
import { transferStates } from './records/employee-transfers/employee-transfer.rules.ts';
import * as holidays from './time/holidays/holidays.api.ts';
import * as leaveApplications from './leave/leave-applications/leave-applications.api.ts';
import * as leaveApprovals from './leave/leave-approvals/leave-approvals.api.ts';
import * as leaveDecisions from './leave/leave-decisions/leave-decisions.api.ts';
import { recountLeaveAgain } from './leave/leave-decisions/recount-due-leave.ts';
import { cancelLeaveBehind } from './leave/leave-decisions/cancel-leave-after-exit.ts';
import * as leaveCalendar from './leave/leave-calendar/leave-calendar.api.ts';
import { leaveStates } from './leave/leave-applications/leave-application.rules.ts';
import { removeDiscardedFiles } from './leave/leave-applications/remove-discarded-files.ts';
import { reportStorage } from './notices/hrm-documents/report-storage.ts';
import { deliverQueuedLeaveMail } from './leave/leave-mails/leave-mail-delivery.ts';
import { remindDueApprovers } from './leave/leave-mails/remind-approvers.ts';
import * as leaveBalances from './employment/leave-balances/leave-balances.api.ts';
import { settleDueLeave } from './leave/leave-jobs/settle-leave.ts';
import { settleLeaver } from './leave/leave-jobs/settle-leaver.ts';
import * as leaveLedger from './employment/leave-ledger/leave-ledger.api.ts';
import * as leaveTypes from './employment/leave-types/leave-types.api.ts';
import { endNotices } from './records/exit-notices/exit-notice.ts';
import { resignationStates, terminationStates } from './records/exit-notices/exit-notice.rules.ts';
import { calls, on } from './operations.ts';
import * as ownLeave from './leave/own-leave/own-leave.api.ts';
import * as payrollPacks from './payroll/payroll-packs/packs.api.ts';
import { draftDuePayrolls } from './payroll/payroll-drafts/monthly-drafts.ts';
import { calculateDuePayrolls } from './payroll/payroll-run/calculate-due.ts';
import * as payrollRuns from './payroll/payroll-run/payroll-runs.api.ts';
import * as paymentFiles from './payroll/payment-files/payment-files.api.ts';
import * as payrollApproval from './payroll/payroll-approval/payroll-approval.api.ts';
import { recoveryStates } from './payroll/payroll-approval/recovery.rules.ts';
import * as payrollPayments from './payroll/payroll-payments/payroll-payments.api.ts';
import { finishOpenPostings, bookPosting } from './payroll/payroll-postings/posting-step.ts';
import * as payrollReversal from './payroll/payroll-reversal/payroll-reversal.api.ts';
import { payrollStates } from './payroll/payrolls/payroll.rules.ts';
import * as payrolls from './payroll/payrolls/payrolls.api.ts';
import { payslipStates } from './payroll/payslips/payslip.rules.ts';
import * as payslips from './payroll/payslips/payslips.api.ts';
import * as salaryComponents from './employment/salary-components/components.api.ts';
import { promotionStates } from './records/promotions/promotion.rules.ts';
import * as promotions from './records/promotions/promotions.api.ts';
import * as resignations from './records/resignations/resignations.api.ts';
import * as sensitiveAccesses from './organisation/sensitive-accesses/sensitive-accesses.api.ts';
import * as hrmSettings from './organisation/settings/settings.api.ts';
import * as shifts from './time/shifts/shifts.api.ts';
import { dueChangesSchedule } from './records/due-changes/due-changes.ts';
import * as terminations from './records/terminations/terminations.api.ts';
import { references } from './references.ts';
import { records } from './records.ts';
import { visibilityRules } from './visibility.ts';
import { warningStates } from './records/warnings/warning.rules.ts';
import * as warnings from './records/warnings/warnings.api.ts';
import { complaintStates } from './records/complaints/complaint.rules.ts';
import { branchActions } from './organisation/branches/branch.rules.ts';
import { departmentActions } from './employees/departments/department.rules.ts';
import { designationActions } from './organisation/designations/designation.rules.ts';
import { documentTypeActions } from './organisation/document-types/document-type.rules.ts';
import { leaveTypeActions } from './employment/leave-types/leave-type.rules.ts';
import { shiftActions } from './time/shifts/shift.rules.ts';
import { calendarActions } from './time/calendars/calendar.rules.ts';
import { holidayActions } from './time/holidays/holiday.rules.ts';
import { componentActions } from './employment/salary-components/component.rules.ts';
import { deviceActions } from './attendance/attendance-devices/device.rules.ts';
import { attendanceActions } from './attendance/attendance/attendance.rules.ts';
import { awardActions } from './records/awards/award.rules.ts';
import { documentActions } from './employment/employee-documents/document.rules.ts';
import { settingsActions } from './organisation/settings/settings.rules.ts';
import { copies } from './copies.ts';
import { postWaiver } from './payroll/employee-loans/loan-waiver.ts';

/** Employees, working time, leave and payroll. */
export const hr = service({
  name: 'hr',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: visibilityRules,
  records,
  record_readers: ['platform'],
  operations: {
    branches,
    departments,
    designations,
    documentTypes,
    leaveTypes,
    leaveApplications,
    leaveDecisions,
    leaveApprovals,
    ownLeave,
    leaveCalendar,
    deputies,
    shifts,
    hrmSettings,
    holidayCalendars,
    holidays,
    attendances,
    clocking,
    attendanceImport,
    attendanceDevices,
    employees,
    employeeStatus,
    employeeHistory,
    salaryComponents,
    awards,
    promotions,
    employeeTransfers,
    resignations,
    terminations,
    warnings,
    complaints,
    payrollPacks,
    employeeLoans,
    employeeDocuments,
    employeeErasure,
    changeRequests,
    ownProfile,
    ownRecords,
    sensitiveAccesses,
    leaveBalances,
    leaveLedger,
    payrolls,
    payrollRuns,
    payrollApproval,
    payrollPayments,
    payrollReversal,
    paymentFiles,
    payslips,
    announcements,
    hrmDocuments,
    events,
    acknowledgments,
    home,
  },
  consumers: [
    openWorkspace,
    copySettings,
    ...userFollowers(on, 'hr'),
    forgetUser,
    recountDays,
    recountHolidays,
    recountDaysOfMover,
    recountLeaveOfMover,
    recountLeaveOfShift,
    countProjectTime,
    discountProjectTime,
    recordPeriodLock,
    requestAcknowledgmentsOnHire,
    requestAcknowledgmentsOnTransfer,
    requestAcknowledgmentsByStatus,
  ],
  lifecycles: [
    branchActions,
    departmentActions,
    designationActions,
    documentTypeActions,
    leaveTypeActions,
    shiftActions,
    calendarActions,
    holidayActions,
    componentActions,
    deviceActions,
    attendanceActions,
    awardActions,
    documentActions,
    settingsActions,
    employeeStates,
    loanStates,
    requestStates,
    leaveStates,
    promotionStates,
    transferStates,
    resignationStates,
    terminationStates,
    warningStates,
    complaintStates,
    payrollStates,
    payslipStates,
    recoveryStates,
    announcementStates,
    documentStates,
    eventStates,
    acknowledgmentStates,
  ],
  schedules: [
    effectiveDatesSchedule([closeDaysOfLeaver, cancelLeaveBehind, settleLeaver, endNotices]),
    dueChangesSchedule,
    closeDueDays,
    markDueAbsences,
    settleDueLeave,
    draftDuePayrolls,
    recountLeaveAgain,
    calculateDuePayrolls,
    finishOpenPostings,
    finishOpenPayouts,
    noticeSchedule,
    overdueReminderSchedule,
    deliverQueuedNotices,
    deliverQueuedLeaveMail,
    remindDueApprovers,
    removeDiscardedFiles,
    reportStorage,
  ],
  calls,
  references,
  copies,
  steps: [bookPosting, payLoanOut, postWaiver],
});
