-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.
SELECT suite_refers_no_more();
SELECT suite_refers('payroll_postings', 'bank_account_id', 'finance.bank_account', 'ARRAY[given.bank_account_id]');
SELECT suite_refers('payment_files', 'bank_account_id', 'finance.bank_account', 'ARRAY[given.bank_account_id]');
SELECT suite_refers('employee_loans', 'paid_from', 'finance.bank_account', 'ARRAY[given.paid_from]');
SELECT suite_copies_no_more();
