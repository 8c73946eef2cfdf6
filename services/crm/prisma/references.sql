-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.
SELECT suite_refers_no_more();
SELECT suite_refers('deals', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('opportunities', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('meetings', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('quotes', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('sales_orders', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('proposals', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('sales_lines', 'product_id', 'inventory.product', 'ARRAY[given.product_id]');
SELECT suite_refers('lead_products', 'product_id', 'inventory.product', 'ARRAY[given.product_id]');
SELECT suite_refers('deal_products', 'product_id', 'inventory.product', 'ARRAY[given.product_id]');
SELECT suite_refers('order_invoices', 'lines', 'inventory.product', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.lines, ''$[*].product_id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('sales_lines', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('quotes', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('sales_orders', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('proposals', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('sales_lines', 'unit_id', 'inventory.unit', 'ARRAY[given.unit_id]');
SELECT suite_refers('sales_orders', 'warehouse_id', 'inventory.warehouse', 'ARRAY[given.warehouse_id]');
