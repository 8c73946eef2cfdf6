CREATE TABLE notes (
  id           uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
  title        text NOT NULL,
  amount       numeric(19, 4),
  due          date,
  status       text NOT NULL DEFAULT 'open',
  position     integer NOT NULL DEFAULT 0,
  created_by   uuid DEFAULT suite_actor_id(),
  updated_by   uuid DEFAULT suite_actor_id(),
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  version      integer NOT NULL DEFAULT 1,
  search       tsvector GENERATED ALWAYS AS (to_tsvector('simple', title)) STORED,
  UNIQUE (workspace_id, id),
  CONSTRAINT notes_title_key UNIQUE (workspace_id, title)
);
CREATE INDEX notes_newest ON notes (workspace_id, created_at DESC, id DESC);
CREATE INDEX notes_search ON notes USING gin (search);

CREATE TABLE pages (
  id           uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
  note_id      uuid NOT NULL,
  text         text NOT NULL,
  UNIQUE (workspace_id, id),
  CONSTRAINT pages_note_id_fkey FOREIGN KEY (workspace_id, note_id) REFERENCES notes (workspace_id, id)
);
CREATE INDEX pages_of_note ON pages (workspace_id, note_id);

SELECT suite_record('notes'), suite_member('pages');
