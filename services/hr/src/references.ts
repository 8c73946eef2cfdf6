/** Columns of hr that store IDs of other services' records. */
import { referencesTo } from '@suite/chassis/visibility';
import { fetchStaff } from '@suite/user-copies';
import { paymentSource } from './payroll/payroll-postings/payment-source.ts';
import { assertPayrollAccount } from './employment/salary-components/component-account.ts';

export const references = [
  referencesTo('finance.bank_account', {
    checked_by: [paymentSource],
    columns: {
      payroll_postings: 'bank_account_id',
      payment_files: 'bank_account_id',
      employee_loans: 'paid_from',
    },
  }),
  referencesTo('finance.gl_account', {
    checked_by: [assertPayrollAccount],
    columns: { salary_components: 'account_id' },
    released: 'Accounts are archived, never deleted.',
  }),
  referencesTo('finance.journal_entry', {
    checked_by: 'Finance posts them.',
    columns: {
      payrolls: 'journal_id',
      payroll_postings: 'journal_id',
      employee_loans: ['journal_id', 'waiver_journal_id'],
    },
    released: 'Journal entries are reversed, never deleted.',
  }),
  referencesTo('platform.user', {
    checked_by: [fetchStaff],
    columns: { users: 'id', leave_calendar_links: 'user_id', project_times: 'user_id' },
    released: "Deleting a user erases the copy's personal data. The copy remains as the author of old records.",
  }),
];
