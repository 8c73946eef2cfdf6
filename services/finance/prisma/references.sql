-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.
SELECT suite_refers_no_more();
SELECT suite_refers('invoice_lines', 'product_id', 'inventory.product', 'ARRAY[given.product_id]');
SELECT suite_refers('journal_lines', 'product_id', 'inventory.product', 'ARRAY[given.product_id]');
SELECT suite_refers('invoice_lines', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('return_lines', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('revenues', 'tax', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.tax, ''$.id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('expenses', 'tax', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.tax, ''$.id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('journal_lines', 'tax_id', 'inventory.tax', 'ARRAY[given.tax_id]');
SELECT suite_refers('tax_lines', 'tax_id', 'inventory.tax', 'ARRAY[given.tax_id]');
SELECT suite_refers('sales_invoices', 'warehouse_id', 'inventory.warehouse', 'ARRAY[given.warehouse_id]');
SELECT suite_refers('purchase_invoices', 'warehouse_id', 'inventory.warehouse', 'ARRAY[given.warehouse_id]');
SELECT suite_refers('sales_returns', 'warehouse_id', 'inventory.warehouse', 'ARRAY[given.warehouse_id]');
SELECT suite_refers('purchase_returns', 'warehouse_id', 'inventory.warehouse', 'ARRAY[given.warehouse_id]');
SELECT suite_refers('journal_lines', 'warehouse_id', 'inventory.warehouse', 'ARRAY[given.warehouse_id]');
SELECT suite_refers('expenses', 'project_id', 'projects.project', 'ARRAY[given.project_id]');
SELECT suite_refers('journal_lines', 'project_id', 'projects.project', 'ARRAY[given.project_id]');
SELECT suite_copies_no_more();
