-- The keys of all methods lie in one table of the foundation. Finance moves goods; crm sets them aside for orders.
INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint, answer, subject, undone_at, created_at)
SELECT asked.workspace_id,
  CASE asked.kind WHEN 'issue' THEN 'IssueStock' WHEN 'receipt' THEN 'ReceiveStock' WHEN 'reservation' THEN 'Reserve' ELSE 'Release' END,
  asked.key,
  -- A reservation that was given back before it came has no source; what gave it back has one.
  CASE WHEN coalesce(asked.source_type, release.source_type) = 'sales_order' AND asked.kind IN ('reservation', 'release')
    THEN 'crm' ELSE 'finance' END,
  asked.content_hash,
  asked.answer || jsonb_build_object('source', jsonb_build_object('type', asked.source_type, 'id', asked.source_id)),
  CASE asked.kind WHEN 'reservation' THEN asked.source_type || ' ' || asked.source_id END,
  asked.reversed_at,
  asked.created_at
FROM stock_requests AS asked
LEFT JOIN stock_requests AS release ON release.workspace_id = asked.workspace_id AND release.key = asked.key
  AND release.kind = 'release' AND asked.kind = 'reservation';

-- What undid an issue or a receipt was kept in its row.
INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint, answer, created_at)
SELECT workspace_id, CASE kind WHEN 'issue' THEN 'ReverseIssue' ELSE 'ReverseReceipt' END, key, 'finance',
  reversal ->> 'content_hash', reversal - 'content_hash', reversed_at
FROM stock_requests WHERE kind IN ('issue', 'receipt') AND reversed_at IS NOT NULL;

-- DropTable
DROP TABLE "stock_requests";
