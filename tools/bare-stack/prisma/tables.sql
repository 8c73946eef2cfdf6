CREATE TABLE customers (
  id uuid PRIMARY KEY,
  number serial UNIQUE,
  name text NOT NULL,
  company text,
  email text,
  phone text,
  tax_number text,
  billing_address text,
  shipping_address text,
  currency text NOT NULL DEFAULT 'EUR',
  payment_terms_days int NOT NULL DEFAULT 30,
  credit_limit numeric(19, 4),
  active boolean NOT NULL DEFAULT TRUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON customers (active, created_at DESC, id DESC);

CREATE TABLE stages (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  position int NOT NULL UNIQUE
);

CREATE TABLE leads (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  subject text,
  email text,
  phone text,
  company text,
  website text,
  job_title text,
  stage_id uuid NOT NULL REFERENCES stages,
  owner_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'open',
  lost_reason text,
  expected_value numeric(19, 4),
  notes text,
  score int NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON leads (status, created_at DESC, id DESC);

CREATE SEQUENCE invoice_numbers;
CREATE TABLE invoices (
  id uuid PRIMARY KEY,
  number text UNIQUE,
  status text NOT NULL DEFAULT 'draft',
  customer_id uuid NOT NULL REFERENCES customers,
  invoice_date date NOT NULL,
  due_date date NOT NULL,
  currency text NOT NULL,
  net_total numeric(19, 4) NOT NULL,
  tax_total numeric(19, 4) NOT NULL,
  total numeric(19, 4) NOT NULL,
  posted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON invoices (status, created_at DESC, id DESC);
CREATE INDEX ON invoices (customer_id);

CREATE TABLE invoice_lines (
  id uuid PRIMARY KEY,
  invoice_id uuid NOT NULL REFERENCES invoices,
  position int NOT NULL,
  product_id uuid NOT NULL,
  product_name text NOT NULL,
  sku text NOT NULL,
  qty numeric(19, 4) NOT NULL,
  unit_price numeric(19, 4) NOT NULL,
  net numeric(19, 4) NOT NULL,
  tax numeric(19, 4) NOT NULL,
  total numeric(19, 4) NOT NULL,
  cost numeric(19, 4)
);
CREATE INDEX ON invoice_lines (invoice_id, position);

CREATE TABLE open_items (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES customers,
  invoice_id uuid NOT NULL UNIQUE REFERENCES invoices,
  due_date date NOT NULL,
  currency text NOT NULL,
  amount numeric(19, 4) NOT NULL,
  settled numeric(19, 4) NOT NULL DEFAULT 0
);
CREATE INDEX ON open_items (customer_id);

CREATE TABLE journal_entries (
  id uuid PRIMARY KEY,
  number serial UNIQUE,
  date date NOT NULL,
  invoice_id uuid NOT NULL REFERENCES invoices,
  narration text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON journal_entries (invoice_id);

CREATE TABLE journal_lines (
  id uuid PRIMARY KEY,
  entry_id uuid NOT NULL REFERENCES journal_entries,
  account text NOT NULL,
  debit numeric(19, 4) NOT NULL,
  credit numeric(19, 4) NOT NULL
);
CREATE INDEX ON journal_lines (entry_id);
CREATE INDEX ON journal_lines (account);

CREATE TABLE products (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  sku text NOT NULL UNIQUE,
  sale_price numeric(19, 4) NOT NULL,
  tax_rate numeric(9, 4) NOT NULL
);

CREATE TABLE stock_levels (
  product_id uuid PRIMARY KEY REFERENCES products,
  on_hand numeric(19, 4) NOT NULL CHECK (on_hand >= 0),
  value numeric(19, 4) NOT NULL
);

CREATE TABLE stock_movements (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES products,
  invoice_id uuid NOT NULL,
  qty numeric(19, 4) NOT NULL,
  value numeric(19, 4) NOT NULL,
  balance_after numeric(19, 4) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON stock_movements (product_id, created_at);

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  code text NOT NULL UNIQUE,
  name text NOT NULL,
  last_number int NOT NULL DEFAULT 0
);

CREATE TABLE task_stages (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects,
  name text NOT NULL,
  position int NOT NULL,
  UNIQUE (project_id, position)
);

CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects,
  number int NOT NULL,
  title text NOT NULL,
  description text,
  priority text NOT NULL DEFAULT 'medium',
  stage_id uuid NOT NULL REFERENCES task_stages,
  rank double precision NOT NULL,
  assignee_id uuid,
  due_date date,
  completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (project_id, number)
);
CREATE INDEX ON tasks (project_id, created_at DESC, id DESC);
CREATE INDEX ON tasks (stage_id, rank);

CREATE TABLE tickets (
  id uuid PRIMARY KEY,
  number serial UNIQUE,
  subject text NOT NULL,
  description text NOT NULL,
  requester_name text NOT NULL,
  requester_email text NOT NULL,
  status text NOT NULL DEFAULT 'new',
  priority text NOT NULL DEFAULT 'medium',
  assignee_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX ON tickets (status, created_at DESC, id DESC);

CREATE TABLE attendances (
  id uuid PRIMARY KEY,
  employee_id uuid NOT NULL,
  day date NOT NULL,
  first_in timestamptz(3) NOT NULL,
  UNIQUE (employee_id, day)
);

CREATE TABLE punches (
  id uuid PRIMARY KEY,
  attendance_id uuid NOT NULL REFERENCES attendances,
  type text NOT NULL,
  at timestamptz(3) NOT NULL
);
