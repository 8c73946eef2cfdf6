-- Tables of the events and changes before the journal, with a waiting event, a published event and a change.
CREATE TABLE outbox (
  position          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id                uuid NOT NULL UNIQUE,
  workspace_id      uuid NOT NULL,
  type              text NOT NULL,
  schema_version    text NOT NULL,
  aggregate_id      uuid NOT NULL,
  aggregate_version integer NOT NULL,
  actor             jsonb,
  trace_id          text,
  data              jsonb NOT NULL,
  occurred_at       timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  published_at      timestamptz(3),
  request_id        text
);
CREATE TABLE aggregate_versions (
  workspace_id uuid NOT NULL,
  aggregate_id uuid NOT NULL,
  version      integer NOT NULL,
  PRIMARY KEY (workspace_id, aggregate_id)
);
CREATE TABLE audit_log (
  position     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  table_name   text NOT NULL,
  record_id    text NOT NULL,
  action       text NOT NULL CHECK (action IN ('insert', 'update', 'delete')),
  before       jsonb,
  after        jsonb,
  actor        jsonb,
  operation    text,
  request_id   text,
  at           timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO outbox (id, workspace_id, type, schema_version, aggregate_id, aggregate_version, data, published_at) VALUES
  ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-00000000000a', 'shop.price.created', '1',
    '01900000-0000-7000-8000-00000000000b', 6999, '{}', now()),
  ('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-00000000000a', 'shop.price.updated', '1',
    '01900000-0000-7000-8000-00000000000b', 7000, '{"amount": "1.00"}', NULL);
INSERT INTO aggregate_versions VALUES ('01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b', 7000);
INSERT INTO audit_log (workspace_id, table_name, record_id, action, after) VALUES
  ('01900000-0000-7000-8000-00000000000a', 'prices', '01900000-0000-7000-8000-00000000000b', 'insert', '{"amount": "1.00"}');
