-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.
SELECT suite_refers_no_more();
SELECT suite_refers('tickets', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('sla_policies', 'conditions', 'finance.customer', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.conditions, ''$.customer_id[*]'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_copies_no_more();
SELECT suite_copies('tickets', 'customer_id', 'finance.customer', '{"customer_name":"name"}');
