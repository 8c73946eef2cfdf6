-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.
SELECT suite_refers_no_more();
SELECT suite_refers('projects', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('project_clients', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('billing_runs', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('projects', 'deal_id', 'crm.deal', 'ARRAY[given.deal_id]');
SELECT suite_copies_no_more();
SELECT suite_copies('projects', 'customer_id', 'finance.customer', '{"customer_name":"name"}');
