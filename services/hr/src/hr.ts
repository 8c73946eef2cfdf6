import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import { keepNotices } from './notices/keep-notices.ts';
import { remindWhoIsLate } from './acknowledgments/reminders.ts';
import * as acknowledgments from './acknowledgments/acknowledgments.api.ts';
import * as announcements from './announcements/announcements.api.ts';
import * as home from './home/home.api.ts';
import * as events from './events/events.api.ts';
import * as hrmDocuments from './hrm-documents/hrm-documents.api.ts';
import { deliverQueuedNotices } from './notice-mails/mail-delivery.ts';
import { announcementStates, documentStates, eventStates } from './notices/notice.rules.ts';
import { acknowledgmentStates } from './acknowledgments/acknowledgment.rules.ts';
import { askNewcomer } from './consumers/hr.employee-created.ts';
import { askByStatus } from './consumers/hr.employee-status-changed.ts';
import { askMover, recountDaysOfMover, recountLeaveOfMover } from './consumers/hr.employee-updated.ts';
import * as changeRequests from './change-requests/change-requests.api.ts';
import { requestStates } from './change-requests/request.rules.ts';
import * as employeeDocuments from './employee-documents/documents.api.ts';
import * as employeeErasure from './employee-erasure/employee-erasure.api.ts';
import * as ownRecords from './own-records/own-records.api.ts';
import * as ownProfile from './own-profile/profile.api.ts';
import * as attendances from './attendance/attendances.api.ts';
import * as attendanceDevices from './attendance-devices/devices.api.ts';
import * as attendanceImport from './attendance-import/attendance-import.api.ts';
import { closeDaysOfLeaver, closeDueDays } from './attendance-jobs/close-days.ts';
import { markDueAbsences } from './attendance-jobs/mark-absences.ts';
import * as awards from './awards/awards.api.ts';
import * as branches from './branches/branches.api.ts';
import * as holidayCalendars from './calendars/calendars.api.ts';
import * as clocking from './clocking/clocking.api.ts';
import { recountDays, recountHolidays } from './consumers/hr.holiday-calendar-changed.ts';
import { recountLeaveOfShift } from './consumers/hr.shift-changed.ts';
import * as complaints from './complaints/complaints.api.ts';
import { noteLockedPeriod } from './consumers/finance.period-locked.ts';
import { forgetUser } from './consumers/platform.user-deleted.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { countProjectTime } from './consumers/projects.time-approved.ts';
import { discountProjectTime } from './consumers/projects.time-reopened.ts';
import * as departments from './departments/departments.api.ts';
import * as designations from './designations/designations.api.ts';
import * as deputies from './deputies/deputies.api.ts';
import * as documentTypes from './document-types/document-types.api.ts';
import * as employeeHistory from './employee-history/employee-history.api.ts';
import * as employeeLoans from './employee-loans/loans.api.ts';
import * as employeeStatus from './employee-status/employee-status.api.ts';
import * as employeeTransfers from './employee-transfers/employee-transfers.api.ts';
import * as employees from './employees/employees.api.ts';
import { keepEffectiveDates } from './employment/effective-dates.ts';
import { finishOpenPayouts } from './employee-loans/loan-payout.ts';
import { loanStates } from './employee-loans/loan.rules.ts';
import { employeeStates } from './employment/employment.rules.ts';
import { PrismaClient } from './generated/client.ts';
import { transferStates } from './employee-transfers/employee-transfer.rules.ts';
import * as holidays from './holidays/holidays.api.ts';
import * as leaveApplications from './leave-applications/leave-applications.api.ts';
import * as leaveApprovals from './leave-approvals/leave-approvals.api.ts';
import * as leaveDecisions from './leave-decisions/leave-decisions.api.ts';
import { recountLeaveAgain } from './leave-decisions/recount-due-leave.ts';
import { cancelLeaveBehind } from './leave-decisions/leave-of-leavers.ts';
import * as leaveCalendar from './leave-calendar/leave-calendar.api.ts';
import { leaveStates } from './leave-applications/leave-application.rules.ts';
import { removeDiscardedFiles } from './leave-applications/remove-discarded-files.ts';
import { reportStorage } from './hrm-documents/report-storage.ts';
import { deliverQueuedLeaveMail } from './leave-mails/leave-mail-delivery.ts';
import { remindDueApprovers } from './leave-mails/remind-approvers.ts';
import * as leaveBalances from './leave-balances/leave-balances.api.ts';
import { settleDueLeave } from './leave-jobs/settle-leave.ts';
import { settleLeaver } from './leave-jobs/settle-leaver.ts';
import * as leaveLedger from './leave-ledger/leave-ledger.api.ts';
import * as leaveTypes from './leave-types/leave-types.api.ts';
import { endNotices } from './exit-notices/exit-notice.ts';
import { resignationStates, terminationStates } from './exit-notices/exit-notice.rules.ts';
import { calls, on } from './operations.ts';
import * as ownLeave from './own-leave/own-leave.api.ts';
import * as payrollPacks from './payroll-packs/packs.api.ts';
import { draftDuePayrolls } from './payroll-drafts/draft-due.ts';
import { calculateDuePayrolls } from './payroll-run/calculate-due.ts';
import * as payrollRuns from './payroll-run/payroll-runs.api.ts';
import * as paymentFiles from './payment-files/payment-files.api.ts';
import * as payrollApproval from './payroll-approval/payroll-approval.api.ts';
import { recoveryStates } from './payroll-approval/recovery.rules.ts';
import * as payrollPayments from './payroll-payments/payroll-payments.api.ts';
import { finishOpenPostings } from './payroll-postings/posting-step.ts';
import * as payrollReversal from './payroll-reversal/payroll-reversal.api.ts';
import { payrollStates } from './payrolls/payroll.rules.ts';
import * as payrolls from './payrolls/payrolls.api.ts';
import { payslipStates } from './payslips/payslip.rules.ts';
import * as payslips from './payslips/payslips.api.ts';
import * as salaryComponents from './salary-components/components.api.ts';
import { promotionStates } from './promotions/promotion.rules.ts';
import * as promotions from './promotions/promotions.api.ts';
import * as resignations from './resignations/resignations.api.ts';
import * as sensitiveAccesses from './sensitive-accesses/sensitive-accesses.api.ts';
import * as hrmSettings from './settings/settings.api.ts';
import * as shifts from './shifts/shifts.api.ts';
import { takeDueEffects } from './taking-effect/take-effect.ts';
import * as terminations from './terminations/terminations.api.ts';
import { references } from './references.ts';
import { whoSeesWhat } from './visibility.ts';
import { warningStates } from './warnings/warning.rules.ts';
import * as warnings from './warnings/warnings.api.ts';
import { complaintStates } from './complaints/complaint.rules.ts';

/** Employees, working time, leave and payroll. */
export const hr = service({
  name: 'hr',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
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
    ...userFollowers(on, 'hr'),
    forgetUser,
    recountDays,
    recountHolidays,
    recountDaysOfMover,
    recountLeaveOfMover,
    recountLeaveOfShift,
    countProjectTime,
    discountProjectTime,
    noteLockedPeriod,
    askNewcomer,
    askMover,
    askByStatus,
  ],
  lifecycles: [
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
    keepEffectiveDates([closeDaysOfLeaver, cancelLeaveBehind, settleLeaver, endNotices]),
    takeDueEffects,
    closeDueDays,
    markDueAbsences,
    settleDueLeave,
    draftDuePayrolls,
    recountLeaveAgain,
    calculateDuePayrolls,
    finishOpenPostings,
    finishOpenPayouts,
    keepNotices,
    remindWhoIsLate,
    deliverQueuedNotices,
    deliverQueuedLeaveMail,
    remindDueApprovers,
    removeDiscardedFiles,
    reportStorage,
  ],
  calls,
  references,
});
