-- Written by "npm run generate" from the declared references to records of other services. Applied after the migrations, again when it changes.
SELECT suite_refers_no_more();
SELECT suite_refers('pos_orders', 'customer_id', 'finance.customer', 'ARRAY[given.customer_id]');
SELECT suite_refers('announced_goods', 'lines', 'inventory.product', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.lines, ''$[*].product_id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('pos_orders', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('pos_order_lines', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('pos_refunds', 'taxes', 'inventory.tax', 'ARRAY(SELECT (named #>> ''{}'')::uuid FROM jsonb_path_query(given.taxes, ''$[*].id'') AS named WHERE jsonb_typeof(named) = ''string'' AND named <> ''""'')');
SELECT suite_refers('announced_goods', 'warehouse_id', 'inventory.warehouse', 'ARRAY[given.warehouse_id]');
SELECT suite_copies_no_more();
